import { after, describe, it } from 'node:test';
import { startTestService } from '../harness/service.ts';
import {
  allergy,
  condition,
  inForce,
  lab,
  LIFE,
  loinc,
  ndc,
  openProbe,
  openSources,
  order,
  refer,
  rxnorm,
  snomed,
  type Resource,
} from './probe.ts';

const service = await startTestService({ environment: { CHARTGATE_MCP_RATE_LIMIT: '100000' } });

describe('what a fact is called, and what is one with it', () => {
  after(() => service.stop());

  it('shows every allergy behind one code that says nothing', async () => {
    const unknown = (text: string): object => ({ coding: [{ system: 'urn:vendor', code: 'Unknown' }], text });
    const vague = (text: string): object => ({ coding: [snomed('419199007', 'Allergy to substance')], text });
    const ask = await openProbe(
      service,
      ...['Latex', 'Cheese', 'Ragweed'].map((text, index) => allergy(`u${index}`, unknown(text))),
      ...['Peanuts', 'Bee venom'].map((text, index) => allergy(`v${index}`, vague(text))),
    );
    for (const [tool, input] of [
      ['get_health_summary', {}],
      ['get_allergies', LIFE],
    ] as const)
      for (const name of ['Latex', 'Cheese', 'Ragweed', 'Peanuts', 'Bee venom'])
        (await ask(tool, input)).says(name);
  });

  it('shows every condition and drug behind a code for anything', async () => {
    const disease = (text: string): object => ({ coding: [snomed('64572001', 'Disease')], text });
    const drug = (text: string): object => ({
      medicationCodeableConcept: { coding: [rxnorm('1', 'Miscellaneous drug')], text },
    });
    const ask = await openProbe(
      service,
      condition('a', disease('Lupus'), { ...inForce, onsetDateTime: '2020-01-01' }),
      condition('b', disease('Multiple sclerosis'), { ...inForce, onsetDateTime: '2021-01-01' }),
      order('w', drug('Warfarin 5 mg')),
      order('i', { ...drug('Insulin glargine'), authoredOn: '2025-01-01' }),
    );
    const summary = await ask('get_health_summary');
    for (const name of ['Lupus', 'Multiple sclerosis', 'Warfarin 5 mg', 'Insulin glargine'])
      summary.says(name);
    const medications = await ask('get_medications', LIFE);
    medications.says('Warfarin 5 mg');
    medications.saysNot('2 orders');
  });

  it('keeps one drug under one informative code one group', async () => {
    const lisinopril = { coding: [rxnorm('314076', 'lisinopril 10 MG Oral Tablet')] };
    const ask = await openProbe(
      service,
      ...['2023-01-01', '2023-07-01', '2024-01-01'].map((authoredOn, index) =>
        order(`l${index}`, { medicationCodeableConcept: lisinopril, authoredOn }),
      ),
    );
    (await ask('get_medications', LIFE)).says(
      'lisinopril 10 MG Oral Tablet',
      '3 orders',
      '2023-01-01',
      '2024-01-01',
    );
    const details = await ask('get_details', { references: ['MedicationRequest/l2'] });
    for (const day of ['2023-01-01', '2023-07-01', '2024-01-01']) details.matches(new RegExp(day));
  });

  it('shows a group by its most informative member', async () => {
    const penicillin = { coding: [snomed('91936005', 'Allergy to penicillin')] };
    const ask = await openProbe(
      service,
      allergy('old', penicillin, {
        recordedDate: '2010-01-01',
        reaction: [{ manifestation: [{ text: 'Hives' }], severity: 'moderate' }],
      }),
      allergy('new', penicillin, {
        recordedDate: '2020-01-01',
        reaction: [{ manifestation: [{ coding: [snomed('247472004')] }] }],
      }),
    );
    for (const tool of ['get_health_summary', 'get_allergies'])
      (await ask(tool)).says('Allergy to penicillin', 'Hives');
  });

  it('never shortens the allergies of the summary without saying how many more there are', async () => {
    const ask = await openProbe(
      service,
      ...Array.from({ length: 60 }, (_, index) => allergy(`a${index}`, `Substance number ${index}`)),
    );
    const { text } = await ask('get_health_summary');
    const shown = new Set(text.match(/Substance number \d+/g)).size;
    if (shown === 60) return;
    const [, more] = /and (\d+) more/.exec(text) ?? [];
    if (Number(more) + shown !== 60 || !text.includes('get_allergies'))
      throw new Error(`${shown} of 60 allergies are shown:\n${text}`);
  });

  it('names a drug by its Medication, its ingredients and the Medications and Substances in it', async () => {
    const ask = await openProbe(
      service,
      {
        resourceType: 'Medication',
        id: 'm1',
        ingredient: [
          { itemCodeableConcept: { text: 'Vancomycin' } },
          { itemCodeableConcept: { text: 'Dextrose 5%' } },
        ],
      },
      {
        resourceType: 'Medication',
        id: 'm2',
        ingredient: [{ itemReference: refer('Medication/m3') }, { itemReference: refer('Substance/s1') }],
      },
      { resourceType: 'Medication', id: 'm3', code: { text: 'Piperacillin' } },
      { resourceType: 'Substance', id: 's1', code: { text: 'Tazobactam' } },
      order('a', { medicationReference: refer('Medication/m1') }),
      order('b', { medicationReference: refer('Medication/m2') }),
    );
    const text = await ask('get_medications', LIFE);
    text.says('Vancomycin', 'Dextrose 5%');
    text.says('Piperacillin', 'Tazobactam');
  });

  it('lends an order with a bare number the name of its dispense, and the reverse', async () => {
    const bare = (code: string): object => ({ medicationCodeableConcept: { coding: [ndc(code)] } });
    const dispense = (id: string, prescription: string, rest: object): Resource => ({
      resourceType: 'MedicationDispense',
      id,
      status: 'completed',
      whenHandedOver: '2024-01-03',
      authorizingPrescription: [refer(prescription)],
      ...rest,
    });
    const ask = await openProbe(
      service,
      order('bare', bare('00071015523')),
      dispense('named', 'MedicationRequest/bare', {
        medicationCodeableConcept: { text: 'Atorvastatin 10 mg' },
      }),
      order('full', { medicationCodeableConcept: { text: 'Amlodipine 5 mg' }, authoredOn: '2024-02-01' }),
      dispense('nameless', 'MedicationRequest/full', bare('59762153001')),
      order('given', { ...bare('00409665305'), authoredOn: '2024-03-01' }),
      {
        resourceType: 'MedicationAdministration',
        id: 'dose',
        status: 'completed',
        effectiveDateTime: '2024-03-01',
        request: refer('MedicationRequest/given'),
        medicationCodeableConcept: { text: 'Morphine sulfate' },
      },
    );
    const text = await ask('get_medications', LIFE);
    text.says('Atorvastatin 10 mg', 'MedicationRequest/bare');
    text.says('Amlodipine 5 mg', 'MedicationDispense/nameless');
    text.says('Morphine sulfate', 'MedicationRequest/given');
  });

  it('never makes one group of two orders without a name', async () => {
    const ask = await openProbe(
      service,
      order('x', {
        medicationCodeableConcept: { coding: [ndc('11111111111')] },
        dosageInstruction: [{ text: 'one at night' }],
      }),
      order('y', { dosageInstruction: [{ text: 'two at noon' }] }),
      order('z', { dosageInstruction: [{ text: 'three at dawn' }] }),
    );
    const text = await ask('get_medications', LIFE);
    for (const dosage of ['one at night', 'two at noon', 'three at dawn']) text.says(dosage);
    text.saysNot('2 orders');
  });

  it('keeps apart what stands under one code by names that contradict each other', async () => {
    const called = (coding: (name: string) => object, name: string): object => ({
      coding: [coding(name)],
      text: name,
    });
    const asthma = (name: string): object => called((each) => snomed('195967001', each), name);
    const drug = (name: string): object => called((each) => rxnorm('314076', each), name);
    const potassium = (name: string): object => called((each) => loinc('2823-3', each), name);
    const ask = await openProbe(
      service,
      ...['Asthma', 'Type II Diabetes', 'Asthma bronchiale'].map((name, index) =>
        condition(`c${index}`, asthma(name), { ...inForce, onsetDateTime: '2024-01-01' }),
      ),
      ...['Lisinopril 10 MG', 'Warfarin 5 MG', 'lisinopril 10mg tablet'].map((name, index) =>
        order(`m${index}`, { medicationCodeableConcept: drug(name) }),
      ),
      ...['Penicillin G', 'Latex'].map((name, index) =>
        allergy(
          `a${index}`,
          called((each) => rxnorm('7980', each), name),
        ),
      ),
      lab('k', potassium('Potassium'), { valueQuantity: { value: 4.1, unit: 'mmol/L' } }),
      lab('n', potassium('Sodium'), { valueQuantity: { value: 140, unit: 'mmol/L' } }),
      lab('l', potassium('Kalium'), { valueQuantity: { value: 4.5, unit: 'mmol/L' } }),
    );
    const summary = await ask('get_health_summary');
    for (const name of ['Type II Diabetes', 'Warfarin 5 MG', 'Latex', 'Penicillin G']) summary.says(name);
    summary.matches(/Asthma[^|]*\|[^|]*2 records/);
    summary.matches(/isinopril[^|]*\|[^|]*2 orders/);
    const medications = await ask('get_medications', LIFE);
    medications.says('Warfarin 5 MG', 'MedicationRequest/m1');
    const labs = await ask('get_labs', { ...LIFE, tests: ['2823-3'] });
    labs.matches(/## Sodium · LOINC 2823-3\n\n\| Date/);
    labs.matches(/2 values: first 4\.1 mmol\/L[^\n]*highest 4\.5/);
  });

  it('keeps apart what two sources say under one code by names that contradict each other', async () => {
    const called = (text: string): object => ({ coding: [snomed('195967001', text)], text });
    const dated = { ...inForce, onsetDateTime: '2024-01-01' };
    const ask = await openSources(service, {
      'a.json': [condition('a', called('Asthma'), dated), condition('b', called('Type II Diabetes'), dated)],
      'b.json': [condition('c', called('Diabetes tipo 2'), dated)],
    });
    const text = await ask('get_conditions', LIFE);
    text.says('Asthma', 'Condition/a');
    text.matches(/Condition\/b \(also Condition\/c\)|Condition\/c \(also Condition\/b\)/);
  });

  it('shows a code without a display by its system and code, or by a name that is known', async () => {
    const ask = await openProbe(
      service,
      condition('c', { coding: [snomed('99999999')] }, { ...inForce, onsetDateTime: '2024-01-01' }),
      {
        resourceType: 'Observation',
        id: 'o',
        status: 'final',
        code: { coding: [loinc('99999-9')] },
        category: [{ coding: [{ code: 'laboratory' }] }],
        effectiveDateTime: '2024-02-02',
        valueString: 'present',
      },
    );
    (await ask('get_conditions', LIFE)).matches(/SNOMED CT 99999999/);
    (await ask('get_labs', LIFE)).matches(/LOINC 99999-9/);
  });
});
