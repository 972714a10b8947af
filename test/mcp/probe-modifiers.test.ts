import { after, describe, it } from 'node:test';
import { startTestService } from '../harness/service.ts';
import { condition, inForce, lab, LIFE, openProbe, order, type Resource } from './probe.ts';

const service = await startTestService({ environment: { CHARTGATE_MCP_RATE_LIMIT: '100000' } });

const unknown = { modifierExtension: [{ url: 'http://example.org/is-simulated', valueBoolean: true }] };
const MARK = 'with an unknown modifier';

const letter = (id: string, words: string, more: object): Resource => ({
  resourceType: 'DocumentReference',
  id,
  status: 'current',
  type: { text: 'Discharge letter' },
  content: [{ attachment: { contentType: 'text/plain', data: Buffer.from(words).toString('base64') } }],
  ...more,
});

const weight = (id: string, value: string, more: object = {}): Resource => ({
  resourceType: 'Observation',
  id,
  status: 'final',
  category: [{ coding: [{ code: 'vital-signs' }] }],
  code: { coding: [{ system: 'http://loinc.org', code: '29463-7' }], text: 'Weight' },
  effectiveDateTime: '2024-02-02',
  valueQuantity: { value, unit: 'kg' },
  ...more,
});

describe('what FHIR calls a modifier', () => {
  after(() => service.stop());

  it('marks every row that an unknown extension changes, and nothing is one with it', async () => {
    const metformin = { medicationCodeableConcept: { text: 'Metformin' } };
    const ask = await openProbe(
      service,
      lab('h', 'Hemoglobin', { ...unknown, valueQuantity: { value: '7', unit: 'g/dL' } }),
      lab('g', 'Hemoglobin', {
        effectiveDateTime: '2023-02-02',
        valueQuantity: { value: '14', unit: 'g/dL' },
      }),
      order('m1', { ...metformin, ...unknown }),
      order('m2', { ...metformin, authoredOn: '2023-01-01' }),
      condition('c', 'Asthma', { ...inForce, ...unknown }),
      weight('w', '80', unknown),
    );
    for (const [tool, input] of [
      ['get_labs', LIFE],
      ['get_labs', { ...LIFE, tests: ['hemoglobin'] }],
      ['get_vitals', LIFE],
      ['get_medications', LIFE],
      ['get_conditions', LIFE],
      ['get_health_summary', {}],
      ['search', { query: 'hemoglobin' }],
    ] as const) {
      const answer = await ask(tool, input);
      answer.matches(
        new RegExp(`${MARK}[^]*“${MARK}”: an extension changes what the entry says; \`get_details\``),
      );
    }
    (await ask('get_health_summary')).says('Weight', `80 kg (${MARK})`);
    (await ask('get_medications', LIFE)).saysNot('2 orders');
    (await ask('get_details', { references: ['Observation/h'] })).says(
      'modifier extension',
      'is-simulated',
      'true',
    );
  });

  it('marks a vaccine that counts less, and a result that was amended', async () => {
    const ask = await openProbe(
      service,
      {
        resourceType: 'Immunization',
        id: 'i',
        status: 'completed',
        vaccineCode: { text: 'MMR' },
        occurrenceDateTime: '2024-05-05',
        isSubpotent: true,
        subpotentReason: [{ text: 'Cold chain broken' }],
      },
      lab('a', 'Sodium', { status: 'amended', valueQuantity: { value: '140', unit: 'mmol/L' } }),
    );
    (await ask('get_immunizations', LIFE)).says('MMR', 'subpotent: Cold chain broken');
    (await ask('search', { query: 'MMR' })).says('MMR', 'subpotent: Cold chain broken');
    (await ask('get_labs', LIFE)).says('Sodium', '140', 'amended');
  });

  it('names what replaces a letter, and what was added to it', async () => {
    const target = (id: string) => ({ reference: `DocumentReference/${id}` });
    const ask = await openProbe(
      service,
      letter('old', 'Five milligrams of warfarin each evening before the operation.', { date: '2024-01-01' }),
      letter('new', 'Take 10 mg warfarin.', {
        date: '2024-01-02',
        relatesTo: [{ code: 'replaces', target: target('old') }],
      }),
      letter('more', 'And rest, with warfarin.', {
        date: '2024-01-03',
        relatesTo: [{ code: 'appends', target: target('new') }],
      }),
      letter('gone', 'Older warfarin letter.', { date: '2023-01-03', status: 'superseded' }),
      {
        resourceType: 'DiagnosticReport',
        id: 'r',
        status: 'preliminary',
        code: { text: 'CT report' },
        effectiveDateTime: '2024-01-04',
        conclusion: 'Looks malignant, on warfarin',
      },
    );
    const replaced = ['replaced by Discharge letter of 2024-01-02 (DocumentReference/new)'];
    for (const [tool, input] of [
      ['get_other_records', { ...LIFE, kind: 'document' }],
      ['search_clinical_notes', { ...LIFE, query: 'warfarin' }],
      ['search', { query: 'warfarin' }],
    ] as const) {
      const answer = await ask(tool, input);
      answer.says(...replaced);
      answer.says('with the addendum Discharge letter of 2024-01-03 (DocumentReference/more)');
      answer.says('superseded');
      answer.says('preliminary');
    }
    (await ask('get_details', { references: ['DocumentReference/old'] })).says(
      'replaced by',
      'DocumentReference/new',
    );
  });
});
