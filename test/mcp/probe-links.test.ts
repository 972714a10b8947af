import { after, describe, it } from 'node:test';
import { startTestService } from '../harness/service.ts';
import {
  condition,
  lab,
  LIFE,
  loinc,
  ndc,
  openProbe,
  order,
  patient,
  refer,
  snomed,
  visit,
  type Resource,
} from './probe.ts';

const practitioner = (id: string, family: string): Resource => ({
  resourceType: 'Practitioner',
  id,
  name: [{ family, given: ['Ada'], prefix: ['Dr.'] }],
});
const drug = (id: string, name: string, result: string, rest: object = {}): Resource =>
  lab(id, name, { interpretation: [{ coding: [{ code: result }] }], ...rest });

const service = await startTestService({ environment: { CHARTGATE_MCP_RATE_LIMIT: '100000' } });

describe('the links of a record', () => {
  after(() => service.stop());

  it('a culture is shown as specimen, organism, drug and result', async () => {
    const specimen = { specimen: { reference: 'Specimen/s', display: 'Blood, venous' } };
    const ask = await openProbe(
      service,
      { resourceType: 'Specimen', id: 's', type: { text: 'Blood, venous' } },
      lab('culture', 'Blood culture', {
        ...specimen,
        hasMember: [refer('Observation/aureus'), refer('Observation/coli')],
      }),
      lab('aureus', 'Staphylococcus aureus', {
        ...specimen,
        hasMember: [refer('Observation/a1'), refer('Observation/a2')],
      }),
      lab('coli', 'Escherichia coli', {
        ...specimen,
        hasMember: [refer('Observation/e1'), refer('Observation/e2')],
      }),
      drug('a1', 'LEVOFLOXACIN', 'R'),
      drug('a2', 'GENTAMICIN', 'S'),
      drug('e1', 'LEVOFLOXACIN', 'S'),
      drug('e2', 'GENTAMICIN', 'S'),
    );
    const text = await ask('get_labs', LIFE);
    text.says('Staphylococcus aureus', 'LEVOFLOXACIN', 'Resistant');
    text.says('Escherichia coli', 'LEVOFLOXACIN', 'Susceptible');
    // Equal rows of different germs stay two.
    text.says('Staphylococcus aureus', 'GENTAMICIN', 'Susceptible');
    text.says('Escherichia coli', 'GENTAMICIN', 'Susceptible');
    text.matches(/Blood, venous/);
    text.matches(/Blood culture/);
  });

  it('an organism is a value as often as a name, and its susceptibilities may point to it', async () => {
    const ask = await openProbe(
      service,
      lab('germ', 'Organism identified', {
        valueCodeableConcept: { coding: [snomed('112283007', 'Escherichia coli')] },
      }),
      lab('s1', 'Ampicillin [Susceptibility]', {
        valueCodeableConcept: { text: 'Resistant' },
        derivedFrom: [refer('Observation/germ')],
      }),
      lab('clean', 'Urine culture', { effectiveDateTime: '2024-03-02', valueString: 'No growth' }),
    );
    const text = await ask('get_labs', LIFE);
    text.says('Escherichia coli', 'Ampicillin [Susceptibility]', 'Resistant');
    text.says('Urine culture', 'No growth');
  });

  it('the name of a report stands over its results', async () => {
    const ask = await openProbe(
      service,
      lab('ldl', 'LDL', { valueQuantity: { value: 190, unit: 'mg/dL' } }),
      lab('hdl', 'HDL', { valueQuantity: { value: 50, unit: 'mg/dL' } }),
      {
        resourceType: 'DiagnosticReport',
        id: 'r',
        status: 'final',
        category: [{ coding: [{ code: 'LAB' }] }],
        code: { text: 'Lipid panel' },
        effectiveDateTime: '2024-02-02',
        result: [refer('Observation/ldl'), refer('Observation/hdl')],
      },
    );
    const text = await ask('get_labs', LIFE);
    text.says('Lipid panel', 'LDL', '190');
    text.says('Lipid panel', 'HDL', '50');
  });

  it('an undated diagnosis has the date of its visit, and gives the visit its reason', async () => {
    const ask = await openProbe(
      service,
      visit('e', '2024-02-01', { class: { code: 'EMER' } }),
      condition('c', 'Pneumonia', { encounter: refer('Encounter/e') }),
    );
    (await ask('get_conditions', LIFE)).says('Pneumonia', '2024-02-01');
    (await ask('get_conditions', LIFE)).matches(/visit/);
    (await ask('get_visits', LIFE)).says('2024-02-01', 'Pneumonia');
    (await ask('get_conditions', { years: 1, beforeDate: '2024-06-01' })).says('Pneumonia');
  });

  it('the diagnoses of a visit are shown with it', async () => {
    const ask = await openProbe(
      service,
      condition('c', 'Sepsis due to Klebsiella', { recordedDate: '2024-02-03' }),
      visit('e', '2024-02-01', {
        diagnosis: [{ condition: refer('Condition/c'), rank: 1 }],
        serviceType: { text: 'Intensive care' },
        participant: [{ individual: refer('Practitioner/d') }],
        hospitalization: { dischargeDisposition: { text: 'Skilled nursing facility' } },
      }),
      practitioner('d', 'Okafor'),
    );
    const visits = await ask('get_visits', LIFE);
    visits.says('2024-02-01', 'Sepsis due to Klebsiella');
    visits.says('2024-02-01', 'Dr. Ada Okafor');
    const details = await ask('get_details', { references: ['Encounter/e'] });
    for (const word of ['Intensive care', 'Skilled nursing facility', 'Okafor', 'Sepsis due to Klebsiella'])
      details.matches(new RegExp(word));
  });

  it('a drug is not named by a Medication that was entered in error', async () => {
    const medication = (id: string, status: string, text: string) => ({
      resourceType: 'Medication',
      id,
      status,
      code: { text },
    });
    const ask = await openProbe(
      service,
      medication('mistake', 'entered-in-error', 'Digoxin 250 MCG'),
      medication('vague', 'entered-in-error', 'Digitalis'),
      medication('right', 'active', 'Thalidomide 50 MG'),
      ...['mistake', 'vague', 'right'].map((id) =>
        order(id, { medicationCodeableConcept: undefined, medicationReference: refer(`Medication/${id}`) }),
      ),
    );
    const medications = await ask('get_medications', LIFE);
    medications.says('Thalidomide 50 MG');
    for (const answer of [medications, await ask('get_health_summary')])
      answer.matches(/^(?!.*(?:digoxin|digitalis))/is);
    (await ask('search', { query: 'digoxin' })).saysNot('MedicationRequest/mistake');
  });

  it('a reason is shown with what stands against it, and not where it was entered in error', async () => {
    const verified = (id: string, code: string) =>
      condition(id, `Condition ${id}`, { verificationStatus: { coding: [{ code }] } });
    const name = (id: string) => ({ reference: `Condition/${id}`, display: `Reason ${id}` });
    const reasonReference = [name('mistake'), name('refuted'), refer('Condition/doubted')];
    const ask = await openProbe(
      service,
      verified('mistake', 'entered-in-error'),
      verified('refuted', 'refuted'),
      verified('doubted', 'provisional'),
      visit('e', '2024-01-01', { reasonReference }),
      order('m', { medicationCodeableConcept: { text: 'Thalidomide' }, reasonReference }),
      {
        resourceType: 'Procedure',
        id: 'biopsy',
        status: 'completed',
        code: { text: 'Biopsy' },
        performedDateTime: '2024-01-01',
        reasonReference,
      },
    );
    for (const tool of ['get_visits', 'get_medications', 'get_procedures']) {
      const answer = await ask(tool, LIFE);
      answer.matches(/\| Reason refuted \(refuted\); Condition doubted \(provisional\) \|/);
      answer.saysNot('mistake');
    }
    (await ask('get_health_summary')).matches(/\| Reason refuted \(refuted\) \|/);
    for (const query of ['thalidomide', 'biopsy']) (await ask('search', { query })).saysNot('mistake');
  });

  it('who ordered is said of a drug, a test and an order', async () => {
    const ask = await openProbe(
      service,
      practitioner('d', 'Okafor'),
      order('m', {
        medicationCodeableConcept: { text: 'Apixaban' },
        requester: refer('Practitioner/d'),
        dispenseRequest: { numberOfRepeatsAllowed: 3 },
        reasonReference: [refer('Condition/c')],
      }),
      condition('c', 'Atrial fibrillation', { recordedDate: '2023-12-01' }),
      {
        resourceType: 'ServiceRequest',
        id: 's',
        status: 'active',
        intent: 'order',
        code: { text: 'Thyroid panel' },
        authoredOn: '2024-02-01',
        requester: refer('Practitioner/d'),
      },
      lab('tsh', 'TSH', { basedOn: [refer('ServiceRequest/s')], valueQuantity: { value: 2, unit: 'mU/L' } }),
    );
    (await ask('get_medications', LIFE)).says('Apixaban', 'Okafor', 'Atrial fibrillation');
    (await ask('get_details', { references: ['MedicationRequest/m'] })).matches(
      /\b3\b.*refill|refill.*\b3\b|repeat.*\b3\b/i,
    );
    (await ask('get_other_records', { kind: 'order', ...LIFE })).says('Thyroid panel', 'Okafor');
    (await ask('get_details', { references: ['Observation/tsh'] })).matches(/Okafor/);
  });

  it('death is said in the first line of the summary, and who the person is in the details', async () => {
    const ask = await openProbe(
      service,
      {
        ...patient,
        deceasedDateTime: '2024-03-03T05:00:00Z',
        maritalStatus: { text: 'Widowed' },
        address: [{ line: ['12 Elm Street'], city: 'Springfield' }],
        telecom: [{ system: 'phone', value: '555-0100' }],
        communication: [{ language: { text: 'Polish' } }],
        generalPractitioner: [refer('Practitioner/d')],
      },
      practitioner('d', 'Okafor'),
    );
    const { text } = await ask('get_health_summary');
    const first = text.split('\n\n').slice(0, 2).join(' ');
    if (!/died.*2024-03-03|deceased.*2024-03-03/i.test(first))
      throw new Error(`death is not in the first line: ${first}`);
    const details = await ask('get_details', { references: ['Patient/p'] });
    for (const word of ['12 Elm Street', 'Springfield', '555-0100', 'Polish', 'Widowed', 'Okafor'])
      details.matches(new RegExp(word));
  });

  it('a blood pressure is known by the codes of its components, in any language or none', async () => {
    const pressure = (id: string, day: string, names: [string?, string?]): Resource => ({
      resourceType: 'Observation',
      id,
      status: 'final',
      code: { coding: [loinc('85354-9')] },
      effectiveDateTime: `${day}T10:00:00Z`,
      component: [
        ['8480-6', 121, names[0]],
        ['8462-4', 81, names[1]],
      ].map(([code, value, name]) => ({
        code: { coding: [loinc(code as string, name as string | undefined)] },
        valueQuantity: { value, unit: 'mmHg' },
      })),
    });
    const ask = await openProbe(
      service,
      pressure('de', '2024-01-01', ['Systolischer Blutdruck', 'Diastolischer Blutdruck']),
      pressure('es', '2024-01-02', ['Presión arterial sistólica', 'Presión arterial diastólica']),
      pressure('no', '2024-01-03', []),
    );
    const text = await ask('get_vitals', LIFE);
    for (const day of ['2024-01-01', '2024-01-02', '2024-01-03']) text.says(day, '121 81');
  });

  it('opens what a short and a full reference name, and says which it does not know', async () => {
    const id = 'b2f7c8aa-0000-4000-8000-000000000001';
    const ask = await openProbe(
      service,
      condition(id, { coding: [snomed('38341003', 'Hypertension')] }, { onsetDateTime: '2020-01-01' }),
    );
    for (const reference of [`Condition/${id}`, 'Condition/b2f7c8aa']) {
      const details = await ask('get_details', { references: [reference] });
      details.matches(new RegExp(`Condition/${id}`));
      details.matches(/38341003/);
      details.matches(/2020-01-01/);
    }
    (await ask('get_details', { references: ['Condition/nowhere', `Condition/${id}`] })).matches(
      /Condition\/nowhere/,
    );
  });

  it('shows a bare local number as what it is where nothing lends it a name', async () => {
    const ask = await openProbe(
      service,
      order('n', { medicationCodeableConcept: { coding: [ndc('00071015523')] } }),
    );
    (await ask('get_medications', LIFE)).matches(/00071015523/);
  });
});
