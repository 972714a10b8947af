import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createChart, entry, type Chart } from '../../../test/harness/chart.ts';
import { openTestStore } from '../../../test/harness/store.ts';

const store = await openTestStore();
after(() => store.remove());

const readTitles = (text: string): string[] =>
  [...text.matchAll(/^\| (?!Type|Title|---)[^|]+? \| ([^|]+?) \|/gm)].map((match) => match[1] ?? '');

describe('search at a time for what has no date', () => {
  let chart: Chart;
  const search = (query: string): Promise<string> => chart.callTool('search', { query });
  before(async () => {
    chart = await createChart(store.db);
    await chart.add(
      entry('medication', 'Warfarin 5 MG', { current: true, status: 'active' }),
      entry('medication', 'Ibuprofen 400 MG', { status: 'stopped' }),
      entry('medication', 'Warfarin 2 MG', { dayText: '2026-02-01', status: 'stopped' }),
      entry('allergy', 'Penicillin', { current: true }),
      entry('condition', 'Pneumonia'),
      entry('procedure', 'Appendectomy', { dayText: '2026-03-01' }),
    );
  });

  it('lists it behind what is dated, and says so', async () => {
    const text = await search('warfarin in 2026');
    assert.deepEqual(readTitles(text), ['Warfarin 2 MG', 'Warfarin 5 MG'], text);
    assert.match(text, /\nWhat has no date comes last, and may be of another time\.\n/);
  });

  for (const [query, title] of [
    ['penicillin allergy in 2026', 'Penicillin'],
    ['did I have pneumonia in the last 5 years', 'Pneumonia'],
    ['pneumonia before my appendectomy', 'Pneumonia'],
  ] as const)
    it(`answers “${query}” by it alone, and says that it has no date`, async () => {
      const text = await search(query);
      assert.ok(readTitles(text).includes(title) || text.includes(`| ${title} | no date |`), text);
      assert.match(text, /\nNothing with a date of this time was found/);
    });

  it('lists of a kind what is in force, and at a time alone nothing', async () => {
    const text = await search('what medications am I on in 2026');
    assert.match(text, /Warfarin 5 MG/);
    assert.doesNotMatch(text, /Ibuprofen/);
    assert.doesNotMatch(await search('what happened in 2026'), /no date/);
  });
});
