import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createChart, entry, type Chart } from '../../../../test/harness/chart.ts';
import { openTestStore } from '../../../../test/harness/store.ts';
import { compileVocabulary } from '../../../clinical/concepts/vocabulary.ts';

const store = await openTestStore();
after(() => store.remove());

/** The first row of an answer that has the title, without its reference. */
function findRow(text: string, title: string): string {
  const row = text.split('\n').find((line) => line.includes(`| ${title} |`)) ?? '';
  return row.split(' | ').slice(0, -1).join(' | ');
}

describe('what search says of the sense in which an entry is so', () => {
  let chart: Chart;
  const search = (query: string) => chart.callTool('search', { query });
  const active = { clinicalStatus: 'active' };

  before(async () => {
    chart = await createChart(store.db, () => compileVocabulary([]));
    await chart.add(
      entry('allergy', 'Amoxicillin', { detail: { ...active, verification: 'refuted' } }),
      entry('allergy', 'Peanut', { detail: { clinicalStatus: null, verification: 'refuted' } }),
      entry('allergy', 'Latex', { detail: { ...active, verification: 'unconfirmed' }, current: true }),
      entry('condition', 'Lupus', { detail: { ...active, verification: 'differential' }, current: true }),
      entry('condition', 'Bronchitis', { detail: active, current: true, dayText: '2019', endText: '2020' }),
      entry('condition', 'No known problems', { detail: { ...active, none: true } }),
      entry('medication', 'Warfarin', { status: 'active', detail: { intent: 'proposal' } }),
      entry('medication', 'Ramipril', {
        status: 'active',
        current: true,
        dayText: '2019',
        endText: '2020',
        detail: { resource: 'MedicationStatement', intent: null },
      }),
      entry('medication', 'Cefazolin', {
        status: 'not-done',
        detail: { resource: 'MedicationAdministration', intent: null },
      }),
      entry('lab', 'Potassium', { status: 'cancelled', detail: { value: '9.1', unit: 'mmol/L' } }),
      entry('lab', 'Sodium', { detail: { value: '128', unit: 'mmol/L', interpretation: 'Low' } }),
      entry('visit', 'Dermatology', { status: 'cancelled' }),
      entry('order', 'Order: colonoscopy', { status: 'revoked' }),
      entry('goal', 'Goal: marathon', { status: 'rejected' }),
      entry('note', 'Discharge letter', { detail: { text: 'Home tomorrow.', docStatus: 'preliminary' } }),
      entry('allergy', 'Penicillin', { detail: { ...active, verification: 'refuted' }, dayText: '2024' }),
      entry('allergy', 'Penicillin', { detail: active, current: true, dayText: '2012' }),
    );
  });

  for (const [title, content] of [
    ['Amoxicillin', 'refuted, recorded as active'],
    ['Peanut', 'refuted'],
    ['Latex', 'active, unconfirmed'],
    ['Lupus', 'active, differential'],
    ['Bronchitis', 'active, recorded as ended 2020'],
    ['Warfarin', 'active, proposal'],
    ['Ramipril', 'active, but ended 2020 by its own dates'],
    ['Cefazolin', 'dose: not-done'],
    ['Potassium', 'cancelled; 9.1 mmol/L'],
    ['Sodium', '128 mmol/L; Low'],
    ['Dermatology', 'cancelled; ambulatory'],
    ['Order: colonoscopy', 'revoked'],
    ['Goal: marathon', 'rejected'],
    ['Discharge letter', 'preliminary; Home tomorrow.'],
  ] as const)
    it(`search says “${content}” of ${title}`, async () => {
      assert.match(findRow(await search(title), title), new RegExp(`\\| ${RegExp.escape(content)}( \\||$)`));
    });

  it('search gives a statement no status of a condition', async () => {
    assert.match(await search('known problems'), /\| No known problems \| no date \| {2}\|/);
  });

  it('search_clinical_notes says of a note that it is not final', async () => {
    const text = await chart.callTool('search_clinical_notes', { query: 'tomorrow' });
    assert.match(text, /\n\npreliminary · /);
  });

  it('search shows what is refuted apart from what is so, though both have one name', async () => {
    const rows = (await search('penicillin')).split('\n').filter((line) => line.includes('| Penicillin |'));
    assert.deepEqual(
      rows.map((row) => row.split(' | ').slice(2, 4)),
      [
        ['2012', 'active'],
        ['2024', 'refuted, recorded as active'],
      ],
    );
  });
});

describe('what search shows of a measurement that was tried again', () => {
  const search = async (query: string, ...entries: Parameters<Chart['add']>): Promise<string[]> => {
    const chart = await createChart(store.db);
    await chart.add(...entries);
    return (await chart.callTool('search', { query }))
      .split('\n')
      .filter((line) => /Observation\/\d/.test(line));
  };
  const potassium = (dayText: string, more: object) => entry('lab', 'Potassium', { dayText, ...more });
  const value = { detail: { value: '6.8', unit: 'mmol/L' } };

  for (const [what, later] of [
    ['no value: Hemolyzed', { detail: { absent: 'Hemolyzed' } }],
    ['cancelled', { ...value, status: 'cancelled' }],
  ] as const)
    it(`search shows the last with a value, and what came later: ${what}`, async () => {
      const [row, ...others] = await search(
        'last potassium',
        potassium('2026-09-01', value),
        potassium('2026-09-02', later),
      );
      assert.deepEqual(others, []);
      assert.match(row ?? '', /\| 2026-09-01 \| 6\.8 mmol\/L; later, 2026-09-02: /);
      assert.ok(row?.includes(`: ${what} (Observation/2) | and 1 more, 2026 | Observation/1 |`), row);
    });

  it('search shows the last answer that says something, though its words are a text of their own', async () => {
    const answer = (dayText: string, detail: object) =>
      entry('social_history', 'Tobacco smoking status', { dayText, detail });
    const [row, ...others] = await search(
      'do I smoke',
      answer('2025-01-01', { value: 'Heavy smoker' }),
      answer('2026-01-01', { absent: 'Not asked' }),
    );
    assert.deepEqual(others, []);
    assert.match(row ?? '', /\| Heavy smoker; later, 2026-01-01: no value: Not asked/);
  });

  it('search shows a value after one that is missing alone', async () => {
    const [row] = await search(
      'potassium',
      potassium('2026-09-01', { detail: { absent: 'Hemolyzed' } }),
      potassium('2026-09-02', value),
    );
    assert.match(row ?? '', /\| 2026-09-02 \| 6\.8 mmol\/L \| and 1 more/);
  });
});

describe('what search shows of two parts of the body', () => {
  it('search shows the left eye and the right one apart', async () => {
    const chart = await createChart(store.db);
    const eye = (kind: 'condition' | 'procedure', bodySite: string, dayText: string) =>
      entry(kind, kind === 'condition' ? 'Cataract' : 'Cataract surgery', { dayText, detail: { bodySite } });
    await chart.add(
      eye('condition', 'Left eye', '2020-01-01'),
      eye('condition', 'Right eye', '2020-01-02'),
      eye('condition', 'Right eye', '2021-01-02'),
      eye('procedure', 'Left eye', '2022-01-01'),
      eye('procedure', 'Right eye', '2022-01-02'),
    );
    const text = await chart.callTool('search', { query: 'cataract' });
    for (const [kind, side, more, rest = ''] of [
      ['Condition', 'Left eye', ''],
      ['Condition', 'Right eye', 'and 1 more'],
      ['Procedure', 'Left eye', '', ' surgery'],
      ['Procedure', 'Right eye', '', ' surgery'],
    ])
      assert.match(
        text,
        new RegExp(`\\| ${kind} \\| Cataract${rest} \\| [^|]* \\| [^|]*${side} \\| ?${more}`),
      );
  });
});

describe('what search takes for medications that are not taken any more', () => {
  const order = (title: string, dayText: string, more: object = {}) =>
    entry('medication', title, { dayText, status: 'stopped', ...more });
  const taken = { status: 'active', current: true };
  const listTitles = async (...entries: Parameters<Chart['add']>): Promise<string[]> => {
    const chart = await createChart(store.db);
    await chart.add(...entries);
    const text = await chart.callTool('search', { query: 'stopped medications' });
    return [...text.matchAll(/^\| (?!Title|Type|---)(?:Medication \| )?([^|]+?) \|/gm)].map(
      (match) => match[1] ?? '',
    );
  };

  it('search leaves out the past orders of a drug that is taken', async () => {
    const titles = await listTitles(
      order('Lisinopril 10 MG', '2020-01-01'),
      order('Lisinopril 10 MG', '2021-01-01', taken),
      order('Penicillin V 500 MG', '2017-01-01'),
    );
    assert.deepEqual(titles, ['Penicillin V 500 MG']);
  });

  it('search lists a drug that is active in the record, but over by its own dates', async () => {
    const titles = await listTitles(
      order('Tramadol 50 MG', '2020-01-01', { ...taken, endText: '2020-02-01' }),
      order('Simvastatin 10 MG', '2020-01-01', { ...taken, endText: '2100-02-01' }),
      order('Ramipril 5 MG', '2020-01-01', taken),
    );
    assert.deepEqual(titles, ['Tramadol 50 MG']);
  });

  it('search lists a drug that a later record stops, though an order of it was never closed', async () => {
    const titles = await listTitles(
      order('Metoprolol 25 MG', '2018-01-01', taken),
      order('Metoprolol 25 MG', '2020-01-01'),
    );
    assert.deepEqual(titles, ['Metoprolol 25 MG']);
  });

  it('search takes nothing for stopped that was only dispensed or proposed', async () => {
    const titles = await listTitles(
      entry('medication', 'Amlodipine 5 MG', {
        dayText: '2026-10-01',
        status: 'completed',
        reference: 'MedicationDispense/1',
        detail: { resource: 'MedicationDispense', intent: null },
      }),
      order('Warfarin 5 MG', '2020-01-01', { status: 'cancelled', detail: { intent: 'proposal' } }),
      order('Naproxen 250 MG', '2020-01-01'),
    );
    assert.deepEqual(titles, ['Naproxen 250 MG']);
  });

  it('search finds notes that speak of stopped drugs, behind the entries', async () => {
    const chart = await createChart(store.db);
    const note = (text: string) => entry('note', text, { dayText: '2024-01-01', detail: { text } });
    await chart.add(
      note('Atorvastatin was discontinued because of muscle pain.'),
      note('Stopped taking omeprazole.'),
      note('Bleeding stopped.'),
      order('Naproxen 250 MG', '2020-01-01'),
    );
    for (const query of ['discontinued meds', 'which medications were discontinued', 'stopped medications']) {
      const text = await chart.callTool('search', { query });
      assert.match(text, /Naproxen[^]*(?:Atorvastatin was|Stopped taking)/, text);
      assert.match(text, /\n3 results/, text);
    }
  });
});
