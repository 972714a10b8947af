import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { createChart, entry, measure, type TestEntry } from '../../../test/harness/chart.ts';
import { ENGINES, openTestStore } from '../../../test/harness/store.ts';

const lab = (title: string, dayText: string, detail: object, more: object = {}): TestEntry =>
  entry('lab', title, { dayText, detail, ...more });

const RECORD = [
  lab('Potassium', '2026-09-02', { value: '4.1', unit: 'mmol/L' }),
  lab('Potassium', '2026-09-01', {
    value: '6.8',
    unit: 'mmol/L',
    flag: 'critical',
    interpretation: 'Critical high',
  }),
  lab('Potassium', '2026-08-01', { value: '9.9', unit: 'mmol/L' }, { status: 'cancelled' }),
  lab('Potassium', '2026-07-01', { value: '3.2', unit: 'mmol/L', note: 'Hemolyzed' }),
  lab('Potassium', '2026-06-01', { value: '< 3', unit: 'mmol/L' }),
  lab('Creatinine', '2026-01-01', { value: '88', unit: 'umol/L' }),
  lab('Creatinine', '2026-05-01', { value: '1.4', unit: 'mg/dL' }),
  lab('Ferritin', '2026-01-01', { value: '101', unit: 'ug/L' }),
  lab('Ferritin', '2026-05-01', { value: '224', unit: null }),
  lab('Sodium', '2026-05-01', { value: '120', unit: 'mmol/L', computed: { flag: 'low', text: 'low' } }),
  lab('Chloride', '2026-05-01', { value: '101', unit: 'mmol/L', flag: 'normal', interpretation: 'Normal' }),
  ...[
    ['2026-03-01', '120'],
    ['2026-02-01', '181'],
    ['2026-01-01', '140'],
  ].map(([dayText = '', systolic = '']) =>
    entry('vital', 'Blood pressure', {
      dayText,
      detail: {
        vital: 'Blood Pressure',
        components: [
          { ...measure('Systolic', systolic, 'mm[Hg]'), code: 'http://loinc.org|8480-6' },
          { ...measure('Diastolic', '80', 'mm[Hg]'), code: 'http://loinc.org|8462-4' },
        ],
      },
    }),
  ),
  ...[
    ['2026-03-01', '126', 'mm[Hg]'],
    ['2026-02-01', '24', 'kPa'],
  ].map(([dayText = '', systolic = '', unit = '']) =>
    entry('vital', 'Average blood pressure', {
      dayText,
      detail: { components: [{ ...measure('Systolic', systolic, unit), code: 'http://loinc.org|8480-6' }] },
    }),
  ),
  entry('allergy', 'Sulfonamide', {
    dayText: '2026-01-01',
    detail: { verification: 'refuted', categories: ['medication'] },
  }),
  entry('allergy', 'Pollen', { dayText: '2025-01-01', detail: { categories: ['environment'] } }),
  entry('allergy', 'Penicillin', { dayText: '2010-01-01', detail: { categories: ['medication'] } }),
  entry('medication', 'Amoxicillin 500 MG', { dayText: '2026-01-01', status: 'active', current: true }),
  entry('medication', 'Metoprolol 25 MG', { dayText: '2024-01-01', status: 'stopped' }),
  entry('medication', 'Do not give: Ibuprofen', {
    dayText: '2026-01-01',
    status: 'active',
    groupKey: 'not:text:ibuprofen',
  }),
];

/** The rows of an answer, without their references. */
const readRows = (text: string): string[] =>
  text.split('\n').filter((line) => /^\| (?!Type|Title)[^-]/.test(line));

for (const engine of ENGINES) {
  const store = await openTestStore(engine);
  const chart = await createChart(store.db);
  await chart.add(...RECORD);
  const search = (query: string): Promise<string> => chart.callTool('search', { query });

  describe(`a part of a kind on ${engine}`, () => {
    after(() => store.remove());

    it('of results is the flagged ones, each by its newest flagged value', async () => {
      for (const query of ['abnormal labs', 'resultados anormales', 'what were my abnormal test results']) {
        const text = await search(query);
        const rows = readRows(text);
        assert.equal(rows.length, 2, text);
        assert.ok(
          rows.some((row) => /Potassium \| 2026-09-01 \| 6\.8 mmol\/L; Critical high/.test(row)),
          text,
        );
        assert.ok(
          rows.some((row) => /Sodium/.test(row)),
          text,
        );
        assert.match(text, /Read as: results that are flagged as not normal/);
      }
      assert.match(
        await search('abnormal vitals'),
        /Nothing found for vital signs flagged as not normal among/,
      );
    });

    it('of what is not to be taken is orders and allergies, to drugs first, what is refuted last', async () => {
      for (const query of [
        'medicines I should not take',
        'drugs to avoid',
        'qué medicamentos no debo tomar',
      ]) {
        const text = await search(query);
        const titles = readRows(text).map((row) => row.split(' | ')[1]);
        assert.deepEqual(
          new Set(titles.slice(0, 2)),
          new Set(['Penicillin', 'Do not give: Ibuprofen']),
          text,
        );
        assert.deepEqual(new Set(titles.slice(2)), new Set(['Pollen', 'Sulfonamide']), text);
      }
    });

    it('of medications is those that are not taken any more', async () => {
      for (const query of [
        'stopped medications',
        'medications that were stopped',
        'medicamentos suspendidos',
      ]) {
        const text = await search(query);
        assert.deepEqual(
          [...text.matchAll(/^\| (?:Medication \| )?(\w+ \d+ MG|Do not [^|]*) \|/gm)].map(
            (match) => match[1],
          ),
          ['Metoprolol 25 MG'],
          text,
        );
        assert.match(text, /Read as: medications that are not taken any more/);
      }
    });

    it('of a course is its highest or lowest valid value, with what could not be compared', async () => {
      const highest = await search('highest potassium');
      assert.match(highest, /Read as: .*; highest value\n/);
      assert.match(highest, /Potassium \| 2026-09-01 \| 6\.8 mmol\/L; Critical high \| and 4 more/);
      assert.match(
        highest,
        /Shown with the highest value: Potassium\. Not compared, being no plain numbers: 1 value of Potassium\./,
      );
      assert.match(await search('lowest potassium'), /Potassium \| 2026-07-01 \| 3\.2 mmol\/L/);
      assert.match(await search('el potasio más alto'), /2026-09-01 \| 6\.8 mmol\/L/);
      assert.match(await search('highest potassium since September 2026'), /2026-09-01 \| 6\.8/);
      assert.match(await search('highest blood pressure'), /Blood pressure \| 2026-02-01 \| 181\/80/);
    });

    it('of a course in several units is none, and it is said', async () => {
      const text = await search('highest creatinine');
      assert.match(
        text,
        /so the highest is not told\. In several units, so that lowest and highest are not told: Creatinine\./,
      );
      assert.match(text, /Creatinine \| 2026-05-01 \| 1\.4 mg\/dL/);
    });

    it('of a course with a number without a unit, or with pressures in two units, is none', async () => {
      assert.match(await search('highest ferritin'), /In several units, [^.]*: Ferritin\./);
      assert.match(
        await search('lowest "average blood pressure"'),
        /In several units, [^.]*: Average blood pressure\./,
      );
    });
  });
}
