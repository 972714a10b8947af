import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createChart, entry, type Chart } from '../../../../test/harness/chart.ts';
import { openTestStore } from '../../../../test/harness/store.ts';

const FIRST = { dayText: '2020-01-01', endText: '2020-06-30' };
const SECOND = { dayText: '2021-01-01', endText: '2021-06-30' };

const smoking = (title: string, dates: object) =>
  entry('social_history', title, { status: 'final', ...dates, detail: { value: '1 pack per day' } });
const statement = (title: string, rest: object) =>
  entry('medication', title, {
    status: 'completed',
    ...rest,
    detail: { resource: 'MedicationStatement', dosage: '1 tablet' },
  });
const taken = (title: string, dates: object) =>
  statement(title, { ...dates, status: 'active', current: true });

const RECORD = [
  ...[FIRST, SECOND].flatMap((dates) => [
    entry('procedure', 'Radiotherapy', dates),
    smoking('Tobacco use', dates),
    statement('Prednisone 10 MG', dates),
    statement('Ibuprofen 400 MG', dates),
  ]),
  taken('Ibuprofen 400 MG', { dayText: '2026-01-01' }),
  taken('Lisinopril 10 MG', { dayText: '2024-01-01', endText: '2027-06-30' }),
  taken('Lisinopril 10 MG', { dayText: '2023-01-01' }),
  smoking('Pipe smoking', { dayText: '2005-05-01', endText: '2009-02-27' }),
  smoking('Pipe smoking', { dayText: '2012-01-01' }),
  smoking('Snuff', { endText: '1999' }),
  smoking('Snuff', { endText: '2003' }),
  smoking('Hookah', { dayText: '2020-01-01' }),
  smoking('Hookah', { dayText: '2021-01-01', status: 'cancelled' }),
  ...['plan', 'proposal'].map((intent, at) =>
    entry('medication', 'Atorvastatin 10 MG', {
      dayText: `202${at}-01-01`,
      status: 'on-hold',
      detail: { intent },
    }),
  ),
  entry('procedure', 'Dialysis', { ...FIRST, status: 'in-progress' }),
  entry('procedure', 'Dialysis', { dayText: '2019-01-01', status: 'in-progress' }),
  entry('procedure', 'Blood count', { dayText: '2020-01-01', endText: '2020-01-01' }),
  entry('procedure', 'Blood count', { dayText: '2021-01-01' }),
];

describe('a row that stands for several courses', async () => {
  const store = await openTestStore();
  after(() => store.remove());
  let chart: Chart;
  before(async () => {
    chart = await createChart(store.db);
    await chart.add(...RECORD);
  });
  const ask = (tool: string, input: object = { years: 150 }): Promise<string> => chart.callTool(tool, input);

  it('ends at the last end, and says how many have none', async () => {
    const procedures = await ask('get_procedures');
    assert.match(procedures, /Radiotherapy \| 2 times, 2020-01-01 to 2021-06-30 \|/);
    assert.match(procedures, /Dialysis \| 2 times, 2019-01-01 to 2020-06-30, 1 without an end \|/);
    assert.match(procedures, /Blood count \| 2 times, 2020-01-01 to 2021-01-01 \|/);
    const social = await ask('get_other_records', { kind: 'social_history', years: 150 });
    assert.match(social, /Tobacco use \| 1 pack per day \| 2 times, 2020-01-01 to 2021-06-30 \|/);
    assert.match(social, /Pipe smoking \| [^|]* \| 2 times, 2005-05-01 to 2012-01-01, 1 without an end \|/);
    assert.match(social, /Snuff \| [^|]* \| 2 times, until 2003 \|/);
  });

  it('does so of drugs, in their list and in the summary', async () => {
    for (const text of [await ask('get_medications'), await ask('get_health_summary', {})]) {
      assert.match(text, /Prednisone 10 MG \| 2 statements, 2020-01-01 to 2021-06-30 \|/);
      assert.match(text, /Ibuprofen 400 MG \| 2026-01-01; past: 2 statements, 2020-01-01 to 2021-06-30/);
      assert.match(text, /Lisinopril 10 MG \| 2 statements, 2023-01-01 to 2027-06-30, 1 without an end/);
    }
    // What is over before the window is counted by the type of its resource, which is an order in this harness.
    const windowed = await ask('get_medications', { years: 1 });
    assert.match(windowed, /Ibuprofen 400 MG \| 2026-01-01; past: 2 orders, 2020-01-01 to 2021-06-30/);
  });

  it('says once only what is so of all', async () => {
    const social = await ask('get_other_records', { kind: 'social_history', years: 150 });
    assert.match(social, /Hookah \| 1 pack per day \| 2021-01-01 \| cancelled \|/);
    assert.match(social, /Hookah \| 1 pack per day \| 2020-01-01 \| {2}\|/);
    assert.match(
      await ask('get_medications'),
      /Atorvastatin [^\n]* plan \(2020-01-01\); proposal|Atorvastatin [^\n]* proposal \(2021-01-01\); plan/,
    );
  });

  it('does so in the years of what search found alike', async () => {
    await chart.add(
      smoking('Chewing betel', { dayText: '2005-05-01', endText: '2015-02-27' }),
      smoking('Chewing betel', { dayText: '2012-01-01', endText: '2013-01-01' }),
    );
    assert.match(
      await ask('search', { query: 'betel' }),
      /Chewing betel \| 2012-01-01 to 2013-01-01 \| [^|]* \| and 1 more, 2005 to 2015 \|/,
    );
  });
});
