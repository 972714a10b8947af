import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { createArchive, createBundle } from '../harness/archive.ts';
import { callTool, getToolText, newTestPatient, startTestService, upload } from '../harness/service.ts';
import { LIFE, openProbe, snomed, type Resource } from './probe.ts';

const service = await startTestService({ environment: { CHARTGATE_MCP_RATE_LIMIT: '100000' } });
after(() => service.stop());

const RXNORM = 'http://www.nlm.nih.gov/research/umls/rxnorm';

describe('a record of DSTU2 and STU3', () => {
  const statement = (id: string, name: string, more: object): Resource => ({
    resourceType: 'MedicationStatement',
    id,
    status: 'active',
    medicationCodeableConcept: { text: name },
    ...more,
  });
  const vaccine = (id: string, name: string, more: object): Resource => ({
    resourceType: 'Immunization',
    id,
    status: 'completed',
    date: '2013-01-10',
    vaccineCode: { text: name },
    ...more,
  });
  const allergy = (id: string, name: string, status: string): Resource => ({
    resourceType: 'AllergyIntolerance',
    id,
    substance: { text: name },
    status,
  });
  const resources: Resource[] = [
    vaccine('i1', 'MMR', { wasNotGiven: true }),
    vaccine('i2', 'DTP', { notGiven: true }),
    vaccine('i3', 'Polio', {}),
    statement('s1', 'Paroxetine', { wasNotTaken: true }),
    statement('s2', 'Sertraline', { taken: 'n' }),
    statement('s3', 'Citalopram', { taken: 'y' }),
    {
      resourceType: 'Procedure',
      id: 'p1',
      status: 'completed',
      notDone: true,
      code: { text: 'Amputation of leg' },
    },
    allergy('a1', 'Peanut', 'active'),
    allergy('a2', 'Egg', 'refuted'),
  ];

  it('is shown as it negates, and its upload says of which version it is', async () => {
    const owner = await newTestPatient(service);
    const bundle = createBundle(...resources.map((each) => ({ ...each, subject: undefined })));
    const batch = await upload(service, owner, await createArchive({ 'old.json': bundle }));
    assert.deepEqual([batch.status, batch.resources.created, batch.rejected], ['completed', 9, []]);
    assert.deepEqual(
      batch.notes.map(({ path, code, message }: Record<string, string>) => [
        path,
        code,
        message?.slice(0, 32),
      ]),
      [['old.json', 'older_fhir_version', '8 resources are of an older vers']],
    );
    const ask = async (tool: string): Promise<string> =>
      getToolText(await callTool(service, owner, tool, tool === 'get_allergies' ? {} : LIFE));
    const immunizations = await ask('get_immunizations');
    assert.match(immunizations, /Given \(1\)[^]*Polio[^]*Not given \(2\)[^]*MMR/);
    assert.match(immunizations, /Not given \(2\)[^]*DTP/);
    const medications = await ask('get_medications');
    assert.match(medications, /Current \(1\)[^]*Citalopram[^]*Not taken \(2\)[^]*Paroxetine/);
    assert.match(medications, /Not taken \(2\)[^]*Sertraline/);
    assert.match(await ask('get_procedures'), /Not done \(1\)[^]*Amputation of leg/);
    const allergies = await ask('get_allergies');
    assert.match(allergies, /Peanut/);
    assert.match(allergies, /refuted[^]*Egg/i);
    assert.doesNotMatch(allergies, /without a name/);
    const details = await callTool(service, owner, 'get_details', { references: ['Immunization/i1'] });
    assert.match(getToolText(details), /not given/i);
  });
});

describe('the strength of a drug', () => {
  const order = (id: string, text: string, more: object): Resource => ({
    resourceType: 'MedicationRequest',
    id,
    status: 'active',
    intent: 'order',
    authoredOn: '2026-01-02',
    dosageInstruction: [{ text }],
    ...more,
  });
  const metoprolol = (id: string, code: string, display: string): Resource =>
    order(id, '1 tab BID', {
      medicationCodeableConcept: { text: 'Metoprolol', coding: [{ system: RXNORM, code, display }] },
    });
  const drug = (name: string, numerator: object, denominator: object) => ({
    resourceType: 'Medication',
    code: { text: name },
    ingredient: [{ itemCodeableConcept: { text: name }, strength: { numerator, denominator } }],
  });

  it('stands in the row of each, and is found', async () => {
    const ask = await openProbe(
      service,
      metoprolol('m1', '866924', 'Metoprolol 25 MG oral tablet'),
      metoprolol('m2', '866419', 'Metoprolol succinate 200 MG ER tablet'),
      order('m3', '5 mL Q4H', {
        contained: [{ ...drug('Morphine', { value: 10, unit: 'mg' }, { value: 5, unit: 'mL' }), id: 'drug' }],
        medicationReference: { reference: '#drug' },
      }),
      order('m4', '20 U at bedtime', { medicationReference: { reference: 'Medication/glargine' } }),
      { ...drug('Insulin glargine', { value: 300, unit: 'U' }, { value: 1, unit: 'mL' }), id: 'glargine' },
    );
    for (const answer of [await ask('get_medications', LIFE), await ask('get_health_summary')]) {
      answer.says('Metoprolol 25 MG oral tablet', '1 tab BID');
      answer.says('Metoprolol succinate 200 MG ER tablet', '1 tab BID');
      answer.says('Morphine', '5 mL Q4H (strength 10 mg/5 mL)');
      answer.says('Insulin glargine', '20 U at bedtime (strength 300 U/mL)');
    }
    (await ask('search', { query: 'insulin 300 U/mL' })).says('Insulin glargine', 'strength 300 U/mL');
    (await ask('get_details', { references: ['MedicationRequest/m4'] })).matches(/strength 300 U\/mL/);
  });
});

describe('a thing that is known by its code', () => {
  const pressure = (id: string, day: string, more: object): Resource => ({
    resourceType: 'Observation',
    id,
    status: 'final',
    code: { text: 'Blood pressure', coding: [{ system: 'http://loinc.org', code: '85354-9' }] },
    effectiveDateTime: day,
    ...more,
  });
  const part = (code: string, value: number) => ({
    code: { coding: [{ system: 'http://loinc.org', code }] },
    valueQuantity: { value, unit: 'mmHg' },
  });

  it('is a blood pressure in the column of the others, also where its value is a text', async () => {
    const ask = await openProbe(
      service,
      pressure('b1', '2026-01-02', { component: [part('8480-6', 120), part('8462-4', 80)] }),
      pressure('b2', '2026-01-03', { valueString: '128/76' }),
    );
    const answer = await ask('get_vitals', { vitals: ['Blood Pressure'], ...LIFE });
    answer.matches(/^\| Date \| Blood Pressure[^|]*\| Reference \|$/m);
    answer.says('Blood Pressure', '128/76');
  });

  it('is a statement that there is no allergy, which has its name', async () => {
    const ask = await openProbe(service, {
      resourceType: 'AllergyIntolerance',
      id: 'a1',
      code: snomed('716186003'),
    });
    for (const answer of [await ask('get_allergies'), await ask('get_health_summary')]) {
      answer.matches(/No known allergy/);
      answer.saysNot('unnamed code');
    }
  });
});
