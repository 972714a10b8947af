import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { TOOLS } from '../../server/surfaces/mcp/tools/tools.ts';
import { startTestService } from '../harness/service.ts';
import {
  allergy,
  condition,
  inForce,
  lab,
  LIFE,
  ndc,
  openSources,
  order,
  rxnorm,
  snomed,
  visit,
  type Resource,
} from './probe.ts';

const service = await startTestService({ environment: { CHARTGATE_MCP_RATE_LIMIT: '100000' } });

const firstFill = {
  coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v3-ActCode', code: 'FF', display: 'First Fill' }],
};

const dispense = (id: string, drug: object): Resource => ({
  resourceType: 'MedicationDispense',
  id,
  status: 'completed',
  type: firstFill,
  whenHandedOver: '2024-06-26',
  ...drug,
});

/** The ways in which a dispense names its drug by reference. */
const REFERENCES: Readonly<Record<string, (id: string, name: string, coding: object) => Resource[]>> = {
  contained: (id, name, coding) => [
    dispense(id, {
      contained: [{ resourceType: 'Medication', id: 'm', code: { coding: [coding], text: name } }],
      medicationReference: { reference: '#m' },
    }),
  ],
  'of the record': (id, name, coding) => [
    { resourceType: 'Medication', id: `m${id}`, code: { coding: [coding], text: name } },
    dispense(id, { medicationReference: { reference: `Medication/m${id}` } }),
  ],
  'by name alone': (id, name) => [
    dispense(id, { medicationReference: { reference: `Medication/x${id}`, display: name } }),
  ],
};

describe('facts of two sources on one day', () => {
  after(() => service.stop());

  for (const [way, name] of Object.entries(REFERENCES))
    it(`are two where both are dispenses of one type, of two drugs (${way})`, async () => {
      const ask = await openSources(service, {
        'a.json': name('a', 'Warfarin 5 mg', rxnorm('855332')),
        'b.json': name('b', 'Amoxicillin 500 mg', ndc('0093-3109-05')),
      });
      const medications = await ask('get_medications', LIFE);
      medications.says('Warfarin 5 mg', 'MedicationDispense/a');
      medications.says('Amoxicillin 500 mg', 'MedicationDispense/b');
      medications.saysNot('also');
      medications.saysNot('Sources disagree');
    });

  it('are two where they are about different parts of the body, diets, lenses or reasons', async () => {
    const checkUp = { type: [{ coding: [snomed('185349003', 'Encounter for check up')] }] };
    const build = (id: string, which: 0 | 1): Resource[] => {
      const pick = (...both: [string, string]) => both[which];
      const fracture = { coding: [snomed('125605004', 'Fracture of bone')] };
      return [
        {
          resourceType: 'ServiceRequest',
          id: `s${id}`,
          status: 'active',
          intent: 'order',
          code: { text: 'MRI' },
          bodySite: [{ text: pick('knee', 'brain') }],
          authoredOn: '2024-03-01',
        },
        {
          resourceType: 'NutritionOrder',
          id: `n${id}`,
          status: 'active',
          intent: 'order',
          dateTime: '2024-03-01',
          oralDiet: { type: [{ text: pick('Low sodium', 'Renal') }] },
        },
        {
          resourceType: 'VisionPrescription',
          id: `v${id}`,
          status: 'active',
          dateWritten: '2024-03-01',
          lensSpecification: [{ eye: 'left', sphere: pick('-1.5', '-4') }],
        },
        {
          ...visit(`e${id}`, '2024-03-01', checkUp),
          period: { start: '2024-03-01' },
          reasonCode: [{ text: pick('cough', 'eye exam') }],
        },
        condition(`c${id}`, fracture, {
          ...inForce,
          onsetDateTime: '2024-03-01',
          bodySite: [{ text: pick('left wrist', 'right ankle') }],
        }),
        {
          resourceType: 'Observation',
          id: `o${id}`,
          status: 'final',
          category: [{ coding: [{ code: 'laboratory' }] }],
          code: { text: 'Culture' },
          specimen: { display: pick('Urine', 'Blood') },
          effectiveDateTime: '2024-03-01',
          valueString: 'No growth',
        },
        // What has no name is one with nothing else.
        { resourceType: 'Flag', id: `f${id}`, status: 'active', period: { start: '2024-03-01' } },
      ];
    };
    const ask = await openSources(service, { 'a.json': build('a', 0), 'b.json': build('b', 1) });
    const orders = await ask('get_other_records', { ...LIFE, kind: 'order' });
    for (const words of ['knee', 'brain', 'Low sodium', 'Renal', 'left -1.5', 'left -4']) orders.says(words);
    const visits = await ask('get_visits', LIFE);
    for (const words of ['cough', 'eye exam']) visits.says(words);
    const conditions = await ask('get_conditions', LIFE);
    for (const words of ['left wrist', 'right ankle']) conditions.says(words);
    const labs = await ask('get_labs', LIFE);
    for (const words of ['specimen: Urine', 'specimen: Blood']) labs.says(words);
    const others = await ask('get_other_records', { ...LIFE, kind: 'other' });
    for (const answer of [orders, visits, conditions, labs, others]) answer.saysNot('also');
  });

  it('case 531: are of two where the files are called alike, as those of every IHE XDM export', async () => {
    const glucose = (id: string, value: number): Resource =>
      lab(id, 'Glucose', { valueQuantity: { value, unit: 'mg/dL' } });
    const ask = await openSources(service, {
      'hospital-a/DOC0001.json': [glucose('a', 100)],
      'hospital-b/DOC0001.json': [glucose('b', 200), lab('c', 'Sodium', { valueQuantity: { value: 140 } })],
    });
    const labs = await ask('get_labs', LIFE);
    labs.matches(/^Sources: A = hospital-b\/DOC0001\.json; B = hospital-a\/DOC0001\.json$/m);
    labs.matches(/200 mg\/dL \(hospital-b\/DOC0001\.json, .*; 100 mg\/dL \(hospital-a\/DOC0001\.json, /);
    labs.matches(/^\|.*\| 100 \|.*\| B \|/m);
    labs.matches(/^\|.*\| 200 \|.*\| A \|/m);
  });

  it('are named by their documents in the answers of all tools, never by the path of one', async () => {
    const build = (id: string, value: number): Resource[] => [
      condition(`c${id}`, 'Asthma', inForce),
      order(`m${id}`, { medicationCodeableConcept: { text: 'Warfarin' } }),
      allergy(`a${id}`, 'Peanut'),
      visit(`v${id}`, '2024-03-01'),
      lab(`l${id}`, 'Glucose', { valueQuantity: { value, unit: 'mg/dL' } }),
      {
        resourceType: 'DocumentReference',
        id: `d${id}`,
        status: 'current',
        type: { text: `Letter ${id}` },
        date: '2024-03-01T10:00:00Z',
        content: [{ attachment: { contentType: 'text/plain', data: btoa(`Asthma is stable, says ${id}.`) } }],
      },
    ];
    const ask = await openSources(service, {
      'Users/ann.smith/Downloads/clinic-a/data.json': build('one', 100),
      'Users/ann.smith/Downloads/clinic-b/data.json': build('two', 200),
    });
    const asked: [tool: string, input?: object][] = [
      ...TOOLS.map(({ name }): [string, object?] => [name]).filter(
        ([name]) => !['search', 'search_clinical_notes', 'get_details'].includes(name),
      ),
      ['search_clinical_notes', { query: 'asthma' }],
      ['search_clinical_notes', { encounterId: 'Encounter/vone' }],
      ...['asthma', 'glucose', 'warfarin', 'peanut'].map((query): [string, object] => ['search', { query }]),
      ['get_details', { references: ['Condition/cone', 'DocumentReference/dtwo', 'Observation/ltwo'] }],
    ];
    for (const [tool, input] of asked) {
      const { text } = await ask(tool, input);
      assert.ok(!/ann\.smith|Downloads/.test(text), `${tool} ${JSON.stringify(input)}: ${text}`);
    }
    for (const [tool, query] of [
      ['search', 'asthma'],
      ['search_clinical_notes', 'asthma'],
    ] as const)
      (await ask(tool, { query })).matches(
        /clinic-a\/data\.json[^]*clinic-b\/data\.json|clinic-b[^]*clinic-a/,
      );
  });
});
