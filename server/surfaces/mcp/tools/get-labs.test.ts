import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createChart, entry, type Chart } from '../../../../test/harness/chart.ts';
import { openTestStore } from '../../../../test/harness/store.ts';

const store = await openTestStore();
after(() => store.remove());

/** Titles without codes: what is found is found by its name. */
const TITLES = [
  'Hemoglobin A1c/Hemoglobin.total in Blood',
  'Glucose [Mass/volume] in Blood',
  'Glucose [Mass/volume] in Urine',
  'Uric acid',
  'Alanine aminotransferase',
  'Potassium',
  'Vitamin K',
  'Creatine kinase',
  'Creatinine',
];

describe('the tests that get_labs is asked for', () => {
  let chart: Chart;
  before(async () => {
    chart = await createChart(store.db);
    await chart.add(
      ...TITLES.map((title) =>
        entry('lab', title, { dayText: '2026-01-01', detail: { value: '5', unit: '1' } }),
      ),
    );
  });

  const listFound = async (...tests: string[]): Promise<string[]> => {
    const text = await chart.callTool('get_labs', { tests });
    return [...text.matchAll(/^## (.*)$/gm)].map(([, title]) => (title ?? '').replaceAll('\\', '')).sort();
  };
  const [a1c, blood, urine, uric, alt, potassium] = TITLES as [
    string,
    string,
    string,
    string,
    string,
    string,
  ];

  it('are found by the names that search knows for them, in any language', async () => {
    for (const [test, ...found] of [
      ['hemoglobina A1c', a1c],
      ['Hämoglobin A1c', a1c],
      ['Langzeitzucker', a1c],
      ['glicemia', blood, urine],
      ['azúcar en sangre', blood, urine],
      ['ácido úrico', uric],
      ['Harnsäure', uric],
      ['TGP', alt],
      ['potasio', potassium],
    ] as const)
      assert.deepEqual(await listFound(test), found, test);
  });

  it('are found by a title alone where it is one', async () => {
    assert.deepEqual(await listFound(blood), [blood]);
    assert.deepEqual(await listFound('creatinina'), ['Creatinine']);
    assert.deepEqual(await listFound('Creatinine'), ['Creatinine']);
    assert.deepEqual(await listFound('Uric acid', potassium), [potassium, uric]);
  });

  it('are named where the record holds none of them', async () => {
    assert.match(
      await chart.callTool('get_labs', { tests: ['hierro', 'glicemia'] }),
      /Not found in this window: “hierro”\./,
    );
  });
});
