import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createChart, entry, type Chart, type TestEntry } from '../../../test/harness/chart.ts';
import { openTestStore } from '../../../test/harness/store.ts';

const store = await openTestStore();
after(() => store.remove());

const lab = (title: string, loinc: string): TestEntry =>
  entry('lab', title, { dayText: '2026-05-01', code: `http://loinc.org|${loinc}`, detail: { value: '1' } });

/** Titles as laboratories shorten them, so that no word of a question stands in them. */
const RECORD = [
  lab('TSH', '3016-3'),
  lab('LDL', '13457-7'),
  lab('ALT', '1742-6'),
  lab('Creat', '2160-0'),
  lab('hs-cTnI', '89579-7'),
  lab('pO2 arterial', '2703-7'),
  lab('Gluc', '2345-7'),
  lab('FER', '2276-4'),
  lab('25-OH D', '1989-3'),
  lab('Testost total', '2986-8'),
  lab('PSA', '2857-1'),
  lab('CRP', '1988-5'),
  lab('K', '2823-3'),
  entry('medication', 'Levothyroxine 88 mcg', { dayText: '2026-01-01', status: 'active' }),
  entry('medication', 'Alendronate 70 MG', { dayText: '2026-01-01', status: 'active' }),
  entry('medication', 'Timolol ophthalmic', { dayText: '2026-01-01', status: 'active' }),
  entry('allergy', 'Aspirin', { dayText: '2011-01-01' }),
];

/** What is near an organ or an illness of which the record says nothing. */
const NEAR: readonly (readonly [query: string, titles: readonly string[]])[] = [
  ['thyroid', ['Levothyroxine 88 mcg', 'TSH']],
  ['tiroides', ['Levothyroxine 88 mcg', 'TSH']],
  ['hypothyroidism', ['Levothyroxine 88 mcg', 'TSH']],
  ['liver', ['ALT']],
  ['hígado', ['ALT']],
  ['kidneys', ['Creat']],
  ['riñones', ['Creat']],
  ['heart', ['hs-cTnI']],
  ['corazón', ['hs-cTnI']],
  ['lungs', ['pO2 arterial']],
  ['pulmones', ['pO2 arterial']],
  ['próstata', ['PSA']],
  ['bones', ['25-OH D', 'Alendronate 70 MG']],
  ['huesos', ['25-OH D', 'Alendronate 70 MG']],
  ['glaucoma', ['Timolol ophthalmic']],
  ['infection', ['CRP']],
  ['infección', ['CRP']],
];

/** Words for several tests, which are narrower. */
const NARROWER: readonly (readonly [query: string, titles: readonly string[]])[] = [
  ['cholesterol', ['LDL']],
  ['colesterol', ['LDL']],
  ['blood sugar', ['Gluc']],
  ['azúcar en la sangre', ['Gluc']],
  ['iron', ['FER']],
  ['hierro', ['FER']],
  ['vitamins', ['25-OH D']],
  ['vitaminas', ['25-OH D']],
  ['hormones', ['TSH', 'Testost total']],
  ['hormonas', ['TSH', 'Testost total']],
];

const readTitles = (text: string): string[] =>
  [...text.matchAll(/^\| (?!Type|Title|---)(?:(?:Laboratory result|Medication) \| )?([^|]+?) \|/gm)]
    .map((match) => match[1] ?? '')
    .sort();

describe('search for what the record does not name', () => {
  let chart: Chart;
  before(async () => {
    chart = await createChart(store.db);
    await chart.add(...RECORD);
  });

  for (const [query, titles] of NEAR)
    it(`finds what is near “${query}”, and says that it is not the thing itself`, async () => {
      const text = await chart.callTool('search', { query });
      assert.deepEqual(readTitles(text), titles, text);
      assert.match(text, new RegExp(`No entry is of “${query}” itself; these are related`), text);
    });

  for (const [query, titles] of NARROWER)
    it(`finds the tests that “${query}” is of`, async () => {
      const text = await chart.callTool('search', { query });
      assert.deepEqual(readTitles(text), titles, text);
      assert.doesNotMatch(text, /itself/);
    });

  it('finds no test of many illnesses, no member of a panel and no allergy to what treats it', async () => {
    for (const query of ['arthritis', 'diabetes', 'metformin', 'dialysis', 'lupus'])
      assert.match(await chart.callTool('search', { query }), /\nNothing found for/, query);
  });

  it('says nothing of the kind where the thing itself is found', async () => {
    await chart.add(entry('condition', 'Hypothyroidism', { dayText: '2020-01-01' }));
    const text = await chart.callTool('search', { query: 'hypothyroidism' });
    assert.match(text, /\| Condition \| Hypothyroidism \|/);
    assert.doesNotMatch(text, /itself/);
  });
});
