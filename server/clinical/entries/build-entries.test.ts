import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { FHIR_RESOURCE_TYPES } from '../../../contract/fhir/fhir-resource-types.ts';
import { ResourceScope } from '../../../contract/data-categories.ts';
import type { ParsedResource } from '../store/found-resource.ts';
import type { Entry, Kind } from './entry.ts';
import { isRecordEntry } from './other-kinds.ts';
import { findRequiredReferences, buildEntries } from './build-entries.ts';
import { categorizeResource } from './category.ts';
import { buildDisplay } from './resource-display.ts';
import type { BuildContext } from './entry-builder.ts';

const NOTHING: BuildContext = { resolve: () => null };
const LOINC = 'http://loinc.org';
const SNOMED = 'http://snomed.info/sct';
const RXNORM = 'http://www.nlm.nih.gov/research/umls/rxnorm';

const coded = (system: string, code: string, display?: string) => ({
  coding: [{ system, code, ...(display !== undefined && { display }) }],
});
const status = (code: string) => ({ coding: [{ code }] });
const base64 = (words: string | Buffer) => Buffer.from(words).toString('base64');

/** The only entry of a resource, which must be of the kind expected. */
function only<K extends Kind>(
  kind: K,
  resource: ParsedResource,
  context = NOTHING,
): Extract<Entry, { kind: K }> {
  const entries = buildEntries(resource, context);
  assert.equal(entries.length, 1, JSON.stringify(entries));
  assert.equal(entries[0]?.kind, kind);
  return entries[0] as Extract<Entry, { kind: K }>;
}

const condition = (more: object) => only('condition', { resourceType: 'Condition', ...more });
const request = (more: object, context = NOTHING) =>
  only(
    'medication',
    { resourceType: 'MedicationRequest', status: 'active', intent: 'order', ...more },
    context,
  );
const allergy = (more: object) => only('allergy', { resourceType: 'AllergyIntolerance', ...more });
const getKind = (more: object) => buildEntries({ resourceType: 'Observation', ...more }, NOTHING)[0]?.kind;

describe('conditions', () => {
  it('are current when active, recurring or relapsing, and not without a status', () => {
    const current = (code?: string, verification?: string) =>
      condition({
        ...(code !== undefined && { clinicalStatus: status(code) }),
        ...(verification !== undefined && { verificationStatus: status(verification) }),
      }).current;
    assert.deepEqual(
      ['active', 'recurrence', 'relapse'].map((code) => current(code)),
      [true, true, true],
    );
    assert.deepEqual(
      ['resolved', 'inactive', 'remission'].map((code) => current(code)),
      [false, false, false],
    );
    assert.equal(current(), false);
    assert.equal(current('active', 'refuted'), false);
    assert.equal(current('active', 'differential'), true);
  });

  it('keep the calendar day as written, whatever its zone', () => {
    const { day, dayText, time } = condition({ onsetDateTime: '1976-01-19T22:58:16-05:00' });
    assert.deepEqual({ day, dayText, time }, { day: '1976-01-19', dayText: '1976-01-19', time: '22:58' });
  });

  it('keep a partial date partial and put it at its first day', () => {
    const { day, dayText } = condition({ onsetDateTime: '2004' });
    assert.deepEqual({ day, dayText }, { day: '2004-01-01', dayText: '2004' });
    assert.equal(condition({ onsetPeriod: { start: '2004-03' } }).day, '2004-03-01');
  });

  it('fall back from the onset to the day of recording, and show an onset that is no date in words', () => {
    const { day, detail } = condition({ onsetDateTime: '2021-02-31', recordedDate: '2021-03-02' });
    assert.equal(day, '2021-03-02');
    assert.equal(detail.onset, '2021-02-31');
    assert.equal(
      condition({ onsetString: 'approximately November 2012' }).detail.onset,
      'approximately November 2012',
    );
    assert.equal(condition({ onsetAge: { value: '45', code: 'a' } }).detail.onset, 'age 45 years');
  });

  it('become entries even without a date or a name', () => {
    const entry = condition({});
    assert.equal(entry.day, null);
    assert.equal(entry.title, 'Condition without a name');
  });

  it('about social circumstances are set apart from illnesses', () => {
    const social = (code: string, display: string) => condition({ code: coded(SNOMED, code, display) });
    for (const [code, name] of [
      ['160903007', 'Full-time employment (finding)'],
      ['73595000', 'Stress (finding)'],
      ['446654005', 'Refugee (person)'],
      ['99', 'Unknown level of education (finding)'],
    ] as const) {
      assert.equal(social(code, name).detail.social, true, name);
      assert.equal(social(code, name).category, 'SOCIAL_HISTORY', name);
    }
    for (const [code, name] of [
      ['15777000', 'Prediabetes'],
      ['162864005', 'Body mass index 30+ - obesity (finding)'],
      ['278860009', 'Chronic low back pain (finding)'],
      ['271737000', 'Anemia (disorder)'],
      ['361055000', 'Misuses drugs (finding)'],
      ['98', 'Stress incontinence (finding)'],
    ] as const) {
      assert.equal(social(code, name).detail.social, false, name);
      assert.equal(social(code, name).category, 'DIAGNOSES', name);
    }
    assert.equal(
      condition({ code: coded('http://hl7.org/fhir/sid/icd-10-cm', 'Z59.0', 'x') }).detail.social,
      true,
    );
  });

  it('entered in error by a text become no entries either', () => {
    const build = (verification: string) =>
      buildEntries({ resourceType: 'Condition', verificationStatus: { text: verification } }, NOTHING);
    assert.deepEqual(build('Entered in Error'), []);
    assert.equal(build('Provisional').length, 1);
  });

  it('entered in error become no entries', () => {
    assert.deepEqual(
      buildEntries({ resourceType: 'Condition', verificationStatus: status('entered-in-error') }, NOTHING),
      [],
    );
    assert.deepEqual(buildEntries({ resourceType: 'Observation', status: 'entered-in-error' }, NOTHING), []);
  });
});

describe('devices', () => {
  const getDeviceKind = (more: object) => buildEntries({ resourceType: 'Device', ...more }, NOTHING)[0]?.kind;

  it('are the patient’s own, and not the program that wrote a document', () => {
    assert.equal(getDeviceKind({ status: 'active', deviceName: [{ name: 'Pacemaker' }] }), 'device');
    assert.equal(getDeviceKind({ patient: { reference: 'Patient/1' } }), 'device');
    assert.equal(
      getDeviceKind({
        identifier: [{ value: '1' }],
        deviceName: [{ name: 'Records 13', type: 'model-name' }],
      }),
      'other',
    );
  });

  it('are none of software and of what an organization owns, but implants without a patient', () => {
    const software = { coding: [{ system: SNOMED, code: '706689003' }] };
    const owner = { reference: 'Organization/1' };
    for (const more of [
      { type: software, status: 'active' },
      { type: { text: 'EHR software' }, deviceName: [{ name: 'Records 13' }] },
      { type: { coding: [{ display: 'MyDirectives.com' }] }, owner, version: '1' },
      ...['Infusion pump', 'Ventilator', 'X-ray tube', 'Clip applier'].map((text) => ({
        type: { text },
        serialNumber: '7',
        owner,
      })),
      ...['Breast implant management software', 'Portable medical record viewer', 'EHR system v3.1'].map(
        (text) => ({ type: { text }, serialNumber: '7' }),
      ),
    ])
      assert.equal(getDeviceKind(more), 'other', JSON.stringify(more));
    for (const more of [
      { type: software, patient: { reference: 'Patient/1' } },
      { type: { text: 'Cardiac pacemaker' }, status: 'active' },
      { type: { text: 'Cardiac pacemaker' }, owner },
      { udiCarrier: [{ carrierHRF: '(01)1' }] },
      ...['Insulin pump', 'Insulin pump with software version 3', 'Monitor (EHR interface)'].map((text) => ({
        type: { text },
        serialNumber: '7',
      })),
      ...'Knee replacement|Bone screw|Intramedullary nail|Mitral clip|Hearing aid|Continuous glucose monitor|Insulin infusion pump|Implantable infusion pump|Hernia mesh|Contact lenses|Bone plate, titanium'
        .split('|')
        .map((text) => ({ type: { text }, owner })),
    ])
      assert.equal(getDeviceKind(more), 'device', JSON.stringify(more));
  });
});

describe('medications', () => {
  it('take their name from the concept, the contained drug or the record', () => {
    const code = coded(RXNORM, '308136', 'amLODIPine 2.5 MG Oral Tablet');
    const contained = [{ resourceType: 'Medication', id: 'med', code }];
    const context = {
      resolve: () => ({
        display: 'amLODIPine 2.5 MG Oral Tablet',
        organization: null,
        code: `${RXNORM}|308136`,
      }),
    };
    const three = [
      request({ medicationCodeableConcept: { ...code, text: 'amlodipine' } }),
      request({ contained, medicationReference: { reference: '#med' } }),
      request({ medicationReference: { reference: 'Medication/1' } }, context),
    ];
    assert.deepEqual(
      three.map(({ title }) => title),
      ['amLODIPine 2.5 MG Oral Tablet', 'amLODIPine 2.5 MG Oral Tablet', 'amLODIPine 2.5 MG Oral Tablet'],
    );
    assert.deepEqual(new Set(three.map(({ groupKey }) => groupKey)), new Set([`${RXNORM}|308136`]));
  });

  it('take no name from what was entered in error', () => {
    const inError = {
      resourceType: 'Medication',
      id: 'med',
      status: 'entered-in-error',
      code: coded(RXNORM, '308136', 'amLODIPine 2.5 MG Oral Tablet'),
    };
    assert.deepEqual(buildDisplay(inError), {
      display: null,
      organizationReference: null,
      organizationDisplay: null,
      code: null,
    });
    const medicationReference = { reference: '#med', display: 'Amlodipine' };
    const { title, code } = request({ contained: [inError], medicationReference });
    assert.deepEqual([title, code], ['Medication request without a name', null]);
    const order = { resourceType: 'MedicationRequest', contained: [inError], medicationReference };
    assert.equal(buildDisplay(order).display, null);
    const ingredient = [
      { itemReference: { reference: '#med' } },
      { itemCodeableConcept: { text: 'Aspirin' } },
    ];
    assert.equal(
      buildDisplay({ resourceType: 'Medication', contained: [inError], ingredient }).display,
      'Aspirin',
    );
  });

  it('are grouped by RxNorm before any other code, and by name without a code', () => {
    const both = {
      coding: [
        { system: 'http://hl7.org/fhir/sid/ndc', code: '1' },
        { system: RXNORM, code: '2' },
      ],
      text: 'x',
    };
    assert.equal(request({ medicationCodeableConcept: both }).groupKey, `${RXNORM}|2|x`);
    const named = (text: string) => request({ medicationCodeableConcept: { text } }).groupKey;
    assert.equal(named('Aspirin  81 mg'), named('aspirin 81 MG '));
  });

  it('are current when ordered and active, plans only where the patient reports taking them', () => {
    assert.equal(request({}).current, true);
    assert.equal(request({ status: 'stopped' }).current, false);
    assert.equal(request({ intent: 'proposal' }).current, false);
    assert.equal(request({ intent: 'plan' }).current, false);
    assert.equal(request({ intent: 'plan', reportedBoolean: true }).current, true);
    assert.equal(
      request({ doNotPerform: true, medicationCodeableConcept: { text: 'Aspirin' } }).title,
      'Do not give: Aspirin',
    );
    assert.equal(request({ doNotPerform: true }).current, false);
  });

  it('administered or dispensed are named as such and are never current', () => {
    const given = only('medication', { resourceType: 'MedicationAdministration', status: 'completed' });
    assert.equal(given.detail.resource, 'MedicationAdministration');
    assert.equal(given.current, false);
    assert.equal(
      only('medication', { resourceType: 'MedicationDispense', status: 'completed' }).current,
      false,
    );
  });

  it('have the dosage in the words of the record', () => {
    const { detail } = request({
      dosageInstruction: [
        {
          text: 'Take as needed.',
          asNeededBoolean: true,
          additionalInstruction: [{ text: 'With food' }],
          patientInstruction: 'Not more than 4 a day',
        },
      ],
    });
    assert.equal(detail.dosage, 'Take as needed. With food. Not more than 4 a day');
  });

  it('have a dosage rendered from timing and dose where there are no words', () => {
    const dosage = (step: object) => request({ dosageInstruction: [step] }).detail.dosage;
    const tablet = { doseAndRate: [{ doseQuantity: { value: '1', unit: 'tablet' } }] };
    const repeat = (more: object) => ({ ...tablet, timing: { repeat: more } });
    const every = { frequency: '1', period: '12', periodUnit: 'h' };
    assert.equal(dosage({ ...repeat(every), asNeededBoolean: true }), '1 tablet every 12 hours as needed');
    assert.equal(dosage(repeat({ frequency: '1', period: '1.0', periodUnit: 'd' })), '1 tablet once a day');
    assert.equal(
      dosage(repeat({ frequency: '2', period: '1', periodUnit: 'd', when: ['PCM', 'PCV'] })),
      '1 tablet twice a day after breakfast and after dinner',
    );
    assert.equal(
      dosage(repeat({ frequency: '1', period: '4', periodMax: '6', periodUnit: 'h' })),
      '1 tablet every 4 to 6 hours',
    );
    assert.equal(
      dosage(repeat({ timeOfDay: ['09:00:00'], boundsDuration: { value: '10', code: 'd' } })),
      '1 tablet at 09:00 for 10 days',
    );
    assert.equal(
      dosage({ timing: { code: { coding: [{ code: 'BID' }] } }, route: { text: 'oral' } }),
      'oral twice a day',
    );
    assert.equal(
      dosage({
        doseAndRate: [
          {
            doseRange: { low: { value: '1' }, high: { value: '2', unit: 'mL' } },
            rateQuantity: { value: '50', unit: 'mL/h' },
          },
        ],
        asNeededCodeableConcept: { text: 'pain' },
      }),
      '1 to 2 mL at 50 mL/h as needed for pain',
    );
    assert.equal(dosage({ doseAndRate: [{ doseQuantity: { value: '1.0' } }] }), 'dose 1.0');
  });

  it('have what the codes of a dosage say beside its words, where these do not say it', () => {
    const dosage = (...steps: object[]) => request({ dosageInstruction: steps }).detail.dosage;
    const dose = (value: string, unit = 'mg') => ({ doseAndRate: [{ doseQuantity: { value, unit } }] });
    const daily = { frequency: '1', period: '1', periodUnit: 'd' };
    assert.equal(dosage({ text: 'Take as directed.', ...dose('5') }), 'Take as directed (5 mg)');
    assert.equal(
      dosage({ text: 'Slowly.', maxDosePerLifetime: { value: '550', unit: 'mg' } }),
      'Slowly (at most 550 mg in a lifetime)',
    );
    assert.equal(
      dosage({ text: '5mg BID', ...dose('5.0'), timing: { repeat: { ...daily, frequency: '2' } } }),
      '5mg BID',
    );
    assert.equal(dosage({ text: '5 mg daily', ...dose('10') }), '5 mg daily (10 mg)');
    const step = (value: string, start: string, end: string) => ({
      text: 'taper',
      ...dose(value),
      timing: { repeat: { ...daily, boundsPeriod: { start, end } } },
    });
    assert.equal(
      dosage(step('40', '2025-05-01', '2025-05-05'), step('20', '2025-05-06', '2025-05-10')),
      'taper (40 mg, once a day, from 2025-05-01 to 2025-05-05); taper (20 mg, once a day, from 2025-05-06 to 2025-05-10)',
    );
    assert.equal(
      dosage({
        text: 'PRN',
        asNeededCodeableConcept: { text: 'pain' },
        doseAndRate: [{ doseRange: { low: { value: '2', unit: 'mg' }, high: { value: '4', unit: 'mg' } } }],
        maxDosePerPeriod: { numerator: { value: '20', unit: 'mg' }, denominator: { value: '1', unit: 'd' } },
      }),
      'PRN (2 to 4 mg, for pain, at most 20 mg / 1 d)',
    );
  });

  it('keep the order of dosage steps', () => {
    const steps = [
      { sequence: '2', text: 'then one' },
      { sequence: '1', text: 'first two' },
    ];
    assert.equal(request({ dosageInstruction: steps }).detail.dosage, 'first two; then one');
  });
});

describe('observations', () => {
  const quantity = (value: string, unit: string) => ({ valueQuantity: { value, unit } });

  it('are vitals by their code, not by their category', () => {
    const vital = (code: string) => {
      const entry = only('vital', {
        resourceType: 'Observation',
        code: coded(LOINC, code),
        ...quantity('1', 'x'),
      });
      return entry.detail.vital;
    };
    assert.equal(vital('8867-4'), 'Heart Rate');
    assert.equal(vital('8331-1'), 'Body Temperature');
    assert.equal(vital('9279-1'), 'Respiratory Rate');
    assert.equal(vital('59408-5'), 'Oxygen Saturation');
    assert.equal(vital('2710-2'), 'Oxygen Saturation');
    assert.equal(vital('3141-9'), 'Weight');
    assert.equal(vital('8306-3'), 'Height');
    assert.equal(vital('39156-5'), 'Body Mass Index');
    assert.equal(vital('55284-4'), 'Blood Pressure');
    assert.equal(vital('8480-6'), 'Blood Pressure');
  });

  it('put systolic before diastolic whatever the order written', () => {
    const component = [
      { code: coded(LOINC, '8462-4', 'Diastolic Blood Pressure'), ...quantity('85', 'mm[Hg]') },
      { code: coded(LOINC, '8480-6', 'Systolic Blood Pressure'), ...quantity('129', 'mm[Hg]') },
    ];
    const entry = only('vital', { resourceType: 'Observation', code: coded(LOINC, '85354-9'), component });
    assert.deepEqual(
      entry.detail.components.map(({ value }) => value),
      ['129', '85'],
    );
    assert.equal(entry.detail.absent, null);
  });

  it('that are none of the eight vital signs stay vitals under the name of their code', () => {
    const entry = only('vital', {
      resourceType: 'Observation',
      category: [coded('x', 'vital-signs')],
      code: { ...coded(LOINC, '77606-2', 'Weight-for-length Per age and sex'), text: 'BMI' },
      ...quantity('65', '%'),
    });
    assert.equal(entry.detail.vital, null);
    assert.equal(entry.title, 'Weight-for-length Per age and sex');
    assert.equal(getKind({ category: [coded('x', 'vital-sign')], code: coded(LOINC, '10230-1') }), 'vital');
  });

  it('are labs, social or other by their category, and by code and shape without one', () => {
    const category = (code: string) => ({ category: [coded('x', code)], valueString: 'x' });
    assert.equal(getKind(category('laboratory')), 'lab');
    assert.equal(getKind(category('survey')), 'survey');
    assert.equal(getKind(category('social-history')), 'social_history');
    assert.equal(getKind(category('imaging')), 'imaging');
    for (const code of ['procedure', 'exam', 'therapy']) assert.equal(getKind(category(code)), 'other');
    assert.equal(getKind({ code: coded(LOINC, '718-7', 'Hemoglobin'), ...quantity('7.2', 'g/dl') }), 'lab');
    assert.equal(
      getKind({ code: coded(LOINC, '94500-6', 'SARS-CoV-2 RNA in Respiratory specimen'), valueString: 'x' }),
      'lab',
    );
    assert.equal(
      getKind({ code: coded(LOINC, '9269-2', 'Glasgow coma score total'), ...quantity('13', '{score}') }),
      'survey',
    );
    assert.equal(getKind({ code: coded(LOINC, '72166-2'), valueString: 'Never smoker' }), 'social_history');
    assert.equal(getKind({ code: coded(SNOMED, '161713000'), valueDateTime: '2021' }), 'other');
  });

  it('are labs without a code of LOINC by what the vocabulary knows and the words of a category, not by a range or a flag', () => {
    const tested = (text: string, more: object = {}) => getKind({ code: { text }, ...more });
    for (const name of ['Hemoglobin', 'Globulin', 'INR', 'Kreatinin'])
      assert.equal(tested(name, quantity('6.5', 'g/dl')), 'lab', name);
    assert.equal(tested('Blood type', { valueString: 'A' }), 'lab');
    assert.equal(tested('INR', { category: [coded('x', 'exam')], valueString: '6.5' }), 'lab');
    const low = { referenceRange: [{ low: { value: '12' } }], interpretation: [{ text: 'Low' }] };
    for (const name of [
      'Zonulin',
      'Temperature',
      'SpO2',
      'Glasgow coma scale',
      'PHQ-9',
      'Household income',
      'LVEF',
    ])
      assert.notEqual(tested(name, { ...quantity('6.5', 'u'), ...low }), 'lab', name);
    assert.equal(tested('Zonulin', { category: [{ text: 'Hematology' }], valueString: 'x' }), 'lab');
    for (const name of ['Zonulin', 'Cholesterol education', 'Ejection fraction'])
      assert.equal(tested(name, { valueString: 'x' }), 'other', name);
  });

  it('are named by their note where neither the record nor we have a name for the code', () => {
    const build = (code: object, note: string) => {
      const { title, groupKey } = only('lab', {
        resourceType: 'Observation',
        category: [coded('x', 'laboratory')],
        code,
        note: [{ text: note }],
        ...quantity('5', 'mg'),
      });
      return [title, groupKey];
    };
    const key = 'http://loinc.org|99999-9';
    assert.deepEqual(build(coded(LOINC, '99999-9'), 'Rhubarb in serum'), [
      'Rhubarb in serum (LOINC 99999-9)',
      key,
    ]);
    assert.deepEqual(build(coded(LOINC, '99999-9'), 'A remark.\nOf two lines.'), ['LOINC 99999-9', key]);
    assert.deepEqual(build(coded(LOINC, '2823-3'), 'hemolyzed'), ['Potassium', 'http://loinc.org|2823-3']);
  });

  it('keep the digits and the unit they were written with', () => {
    const lab = (value: object) => {
      const { detail } = only('lab', {
        resourceType: 'Observation',
        category: [coded('x', 'laboratory')],
        ...value,
      });
      return [detail.value, detail.unit];
    };
    assert.deepEqual(lab(quantity('533.10', 'mg/dL')), ['533.10', 'mg/dL']);
    assert.deepEqual(lab({ valueQuantity: { comparator: '<', value: '0.10', code: '10*3/uL' } }), [
      '<0.10',
      '10*3/uL',
    ]);
    assert.deepEqual(lab({ valueCodeableConcept: coded(SNOMED, '1', 'Not detected') }), [
      'Not detected',
      null,
    ]);
    assert.deepEqual(lab({ valueBoolean: false }), ['no', null]);
    assert.deepEqual(lab({ valueInteger: '0' }), ['0', null]);
    assert.deepEqual(lab({ valueRatio: { numerator: { value: '1' }, denominator: { value: '128' } } }), [
      '1:128',
      null,
    ]);
    assert.deepEqual(lab({ valueRange: { low: { value: '1' }, high: { value: '2', unit: 'mL' } } }), [
      '1 to 2 mL',
      null,
    ]);
    assert.deepEqual(lab({ valueSampledData: { data: '1 2' } }), ['sampled data', null]);
    assert.deepEqual(lab({ valuePeriod: { start: '2021', end: '2022' } }), ['2021 to 2022', null]);
  });

  it('without a value give the reason', () => {
    const absent = (more: object) =>
      only('lab', { resourceType: 'Observation', category: [coded('x', 'laboratory')], ...more }).detail
        .absent;
    assert.equal(absent({ dataAbsentReason: coded('x', 'not-performed') }), 'not performed');
    assert.equal(
      absent({ dataAbsentReason: { text: 'Specimen unsatisfactory' } }),
      'Specimen unsatisfactory',
    );
    const url = 'http://hl7.org/fhir/StructureDefinition/data-absent-reason';
    assert.equal(absent({ _valueString: { extension: [{ url, valueCode: 'masked' }] } }), 'masked');
    assert.equal(absent({}), 'no value recorded');
    assert.equal(absent({ valueString: 'x' }), null);
  });

  it('that only list members name their results and lack no value', () => {
    const panel = {
      resourceType: 'Observation',
      code: coded(LOINC, '85353-1'),
      hasMember: [{ reference: 'Observation/1' }],
    };
    const lab = { ...panel, category: [coded('x', 'laboratory')] };
    const { detail, links } = only('lab', lab);
    assert.deepEqual([detail.value, detail.absent, detail.members], [null, null, ['Observation/1']]);
    assert.deepEqual(links, [{ role: 'member', target: 'Observation/1' }]);
    assert.equal(only('lab', { ...lab, ...quantity('2', 'score') }).detail.value, '2');
  });

  it('have interpretation and reference range in words', () => {
    const { detail } = only('lab', {
      resourceType: 'Observation',
      category: [coded('x', 'laboratory')],
      interpretation: [status('HH')],
      referenceRange: [
        { low: { value: '3.5', unit: 'mmol/L' }, high: { value: '5.50', unit: 'mmol/L' } },
        { high: { value: '6' } },
      ],
    });
    assert.equal(detail.interpretation, 'Critical high');
    assert.equal(detail.referenceRange, '3.5 to 5.50 mmol/L; ≤ 6');
  });

  it('of genes, race and addresses belong to the category in which a patient would look for them', () => {
    const category = (code: string) =>
      categorizeResource({
        resourceType: 'Observation',
        category: [coded('x', 'survey')],
        code: coded(LOINC, code),
      });
    assert.equal(category('69548-6'), 'GENOMIC_DATA');
    assert.equal(category('32624-9'), 'DEMOGRAPHICS');
    assert.equal(category('56799-0'), 'CONTACT_INFO');
    assert.equal(category('72166-2'), 'SOCIAL_HISTORY');
  });
});

describe('allergies', () => {
  it('say what is noted of a reaction, and when they were recorded beside the day of the onset', () => {
    const { dayText, detail } = allergy({
      onsetDateTime: '2001',
      recordedDate: '2024-05-05',
      reaction: [
        {
          manifestation: [{ text: 'Anaphylaxis' }],
          exposureRoute: { text: 'IV' },
          note: [{ text: 'tolerates cephalexin orally' }],
        },
      ],
    });
    assert.deepEqual(
      [dayText, detail.recorded, detail.note],
      ['2001', '2024-05-05', 'tolerates cephalexin orally; exposure: IV'],
    );
    const several = allergy({
      recordedDate: '2024-05-05',
      reaction: [{ manifestation: [{ text: 'Rash' }] }, { description: 'Wheeze', note: [{ text: 'once' }] }],
    });
    assert.deepEqual([several.detail.recorded, several.detail.note], [undefined, 'Wheeze: once']);
  });

  it('take no name from a substance that names none', () => {
    const read = (code: string, substance: string): unknown[] => {
      const reaction = [{ substance: { text: substance }, manifestation: [{ text: 'Hives' }] }];
      const { title, detail } = allergy({ code: { text: code }, reaction });
      return [title, detail.reactions];
    };
    assert.deepEqual(read('Allergy', 'Unknown'), ['Allergy', ['Hives']]);
    assert.deepEqual(read('No known allergies', 'None'), ['No known allergies', ['Hives']]);
  });

  it('name the substances of their reactions where these say more than the code', () => {
    const kind = coded(SNOMED, '419511003', 'Propensity to adverse reaction to drug');
    const ibuprofen = coded(RXNORM, '5640', 'Ibuprofen');
    const hives = [{ text: 'Hives' }];
    const read = (code: object | undefined, ...reaction: object[]) => {
      const { title, groupKey, detail } = allergy({ ...(code && { code }), reaction });
      return [title, groupKey, detail.reactions, detail.note, detail.none];
    };
    const key = `${RXNORM}|5640`;
    assert.deepEqual(read(kind, { substance: ibuprofen, manifestation: hives, severity: 'severe' }), [
      'Ibuprofen',
      key,
      ['Hives (severe)'],
      'Recorded as: Propensity to adverse reaction to drug',
      false,
    ]);
    assert.deepEqual(read(ibuprofen, { substance: { text: 'ibuprofen' }, manifestation: hives }), [
      'Ibuprofen',
      key,
      ['Hives'],
      null,
      false,
    ]);
    assert.deepEqual(
      read(ibuprofen, { substance: { text: 'Advil' }, severity: 'severe' }, { manifestation: hives }).slice(
        0,
        3,
      ),
      ['Ibuprofen', key, ['Advil (severe)', 'Hives']],
    );
    assert.deepEqual(
      read(undefined, { substance: { text: 'Nuts' } }, { substance: { text: 'Milk' } }).slice(0, 3),
      ['Nuts, Milk', 'text:nuts, milk', []],
    );
    const reactTo = (text: string, reaction: string) => ({
      substance: { text },
      manifestation: [{ text: reaction }],
    });
    assert.deepEqual(read(kind, reactTo('Latex', 'Hives'), reactTo('Bee venom', 'Shock')).slice(0, 3), [
      'Latex, Bee venom',
      'text:latex, bee venom',
      ['Latex: Hives', 'Bee venom: Shock'],
    ]);
    assert.deepEqual(
      read({ text: 'Pineapple juice' }, reactTo('Apple', 'Hives'), reactTo('JUICE', 'Rash'))[2],
      ['Apple: Hives', 'Rash'],
    );
    assert.equal(read(coded(SNOMED, '716186003', 'No known allergy'))[0], 'No known allergy');
  });

  it('that say there are none are statements, not allergies', () => {
    const none = (code: object) => allergy({ code }).detail.none;
    for (const code of ['716186003', '409137002', '429625007', '428607008'])
      assert.equal(none(coded(SNOMED, code, 'x')), true);
    const ips = 'http://hl7.org/fhir/uv/ips/CodeSystem/absent-unknown-uv-ips';
    assert.equal(none(coded(ips, 'no-allergy-info', 'x')), true);
    for (const text of [
      'NKDA',
      'No Known Drug Allergy (situation)',
      'No known allergies',
      'no known food allergies.',
      'None',
      'No information about allergies',
      'Denies any drug allergies',
    ]) {
      assert.equal(none({ text }), true, text);
    }
    for (const text of [
      'Penicillin',
      'No known allergies except penicillin',
      'Nuts',
      'Nickel',
      'Known allergy to latex',
      'No. 5 dye',
    ]) {
      assert.equal(none({ text }), false, text);
    }
  });

  it('are in force unless inactive, resolved or refuted', () => {
    assert.equal(allergy({}).current, true);
    assert.equal(allergy({ clinicalStatus: status('inactive') }).current, false);
    assert.equal(allergy({ clinicalStatus: status('resolved') }).current, false);
    assert.equal(allergy({ verificationStatus: status('refuted') }).current, false);
  });

  it('have reactions with severity, and the day of recording where there is no onset', () => {
    const reaction = [{ manifestation: [coded(SNOMED, '1', 'Hives'), { text: 'rash' }], severity: 'severe' }];
    const entry = allergy({ reaction, recordedDate: '2002-08-03T19:43:01+02:00' });
    assert.deepEqual(entry.detail.reactions, ['Hives, rash (severe)']);
    assert.equal(entry.day, '2002-08-03');
  });
});

describe('procedures, immunizations and visits', () => {
  it('show a procedure as not done, and a time of performance in words', () => {
    const entry = only('procedure', {
      resourceType: 'Procedure',
      status: 'not-done',
      statusReason: { text: 'refused' },
    });
    assert.equal(entry.detail.notDoneReason, 'refused');
    const done = only('procedure', {
      resourceType: 'Procedure',
      status: 'completed',
      performedString: 'in childhood',
    });
    assert.equal(done.detail.notDoneReason, null);
    assert.equal(done.detail.note, 'Performed: in childhood');
    assert.deepEqual(done.names, ['when in childhood']);
  });

  it('show of a visit the hospital as its place, where a name is all that is known of either', () => {
    const visit = (fields: Record<string, unknown>) =>
      only('visit', { resourceType: 'Encounter', ...fields });
    const hospital = { serviceProvider: { display: 'General Hospital' } };
    assert.equal(visit(hospital).detail.location, 'General Hospital');
    assert.equal(
      visit({ ...hospital, location: [{ location: { display: 'Ward 3' } }] }).detail.location,
      'Ward 3',
    );
    const referred = visit({ serviceProvider: { ...hospital.serviceProvider, reference: 'Organization/a' } });
    assert.deepEqual([referred.organization, referred.detail.location], ['General Hospital', null]);
  });

  it('say for record linkage when something was, where that is no date, and that a category or a class is no name', () => {
    const when = (fields: Record<string, unknown>): unknown => condition(fields).names;
    assert.deepEqual(when({ onsetAge: { value: '45', code: 'a' } }), ['when age 45 years']);
    assert.deepEqual(when({ onsetDateTime: '03/09/2026' }), ['when 03/09/2026']);
    assert.deepEqual(when({ onsetPeriod: { end: '2001-01-01' } }), ['when no later than 2001-01-01']);
    assert.deepEqual(when({ onsetPeriod: { start: '2000', end: '2001-01-01' } }), undefined);
    const vaccine = { resourceType: 'Immunization', vaccineCode: { text: 'Tetanus' } };
    assert.deepEqual(only('immunization', { ...vaccine, occurrenceString: 'about 2001' }).names, [
      'when about 2001',
    ]);
    assert.deepEqual(allergy({ onsetString: 'as a child' }).names, ['when as a child']);
    const category = { text: 'Surgical procedure' };
    const procedure = only('procedure', { resourceType: 'Procedure', category });
    assert.deepEqual([procedure.title, procedure.names], ['Surgical procedure', ['kind alone']]);
    assert.equal(
      only('procedure', { resourceType: 'Procedure', category, code: { text: 'Biopsy' } }).names,
      undefined,
    );
    assert.deepEqual(only('visit', { resourceType: 'Encounter', class: { code: 'EMER' } }).names, [
      'kind alone',
    ]);
    assert.deepEqual(only('care_plan', { resourceType: 'CarePlan' }).names, ['kind alone']);
    assert.equal(only('care_plan', { resourceType: 'CarePlan', description: 'Walk.' }).names, undefined);
  });

  it('never show a vaccination as given that was not', () => {
    const entry = only('immunization', {
      resourceType: 'Immunization',
      status: 'not-done',
      vaccineCode: coded('http://hl7.org/fhir/sid/cvx', '208'),
      statusReason: { text: 'medical precaution' },
    });
    assert.equal(entry.detail.notDone, true);
    assert.equal(entry.detail.notDoneReason, 'medical precaution');
    assert.equal(entry.title, 'COVID-19 mRNA, Pfizer-BioNTech');
  });

  it('show a visit with class, location, people and organization', () => {
    const entry = only(
      'visit',
      {
        resourceType: 'Encounter',
        class: { code: 'EMER' },
        period: { start: '2021-05-01T23:10:00-05:00', end: '2021-05-02T01:00:00-05:00' },
        participant: [{ individual: { reference: 'Practitioner/1' } }],
        location: [{ location: { display: 'Room 1' } }],
        serviceProvider: { reference: 'Organization/1', display: 'General Hospital' },
        reasonCode: [{ text: 'Chest pain' }],
      },
      {
        resolve: (reference) =>
          reference === 'Practitioner/1' ? { display: 'Dr. Who', organization: null } : null,
      },
    );
    assert.equal(entry.title, 'Visit (emergency)');
    assert.deepEqual(
      [entry.day, entry.time, entry.endText, entry.organization],
      ['2021-05-01', '23:10', '2021-05-02', 'General Hospital'],
    );
    assert.deepEqual(entry.detail, {
      class: 'emergency',
      type: null,
      reason: 'Chest pain',
      location: 'Room 1',
      practitioner: 'Dr. Who',
    });
  });
});

describe('notes', () => {
  const document = (attachment: object, more: object = {}) =>
    only('note', {
      resourceType: 'DocumentReference',
      status: 'superseded',
      content: [{ attachment }],
      ...more,
    });

  it('keep their text as written, superseded or not', () => {
    const words = '\n2021-05-01\n\n# Chief Complaint\n- Cough\n';
    const entry = document({ contentType: 'text/plain; charset=utf-8', data: base64(words) });
    assert.equal(entry.detail.text, words);
    assert.equal(entry.status, 'superseded');
  });

  it('are named by their words from 200 characters on also where a copy has no date, and from 1,000 on any day', () => {
    const list = (length: number) =>
      (document({ contentType: 'text/plain', data: base64('x'.repeat(length)) }).names ?? []).map(
        (name) => name.split(' ')[0],
      );
    assert.deepEqual([199, 200, 999, 1000].map(list), [
      ['text'],
      ['text', 'copy'],
      ['text', 'copy'],
      ['text', 'copy', 'whole'],
    ]);
  });

  it('respect the charset of their label', () => {
    const data = base64(Buffer.from('caf\xe9', 'latin1'));
    assert.equal(document({ contentType: 'text/plain;charset="iso-8859-1"', data }).detail.text, 'café');
    assert.equal(document({ contentType: 'text/plain', data }).detail.text, 'café');
  });

  it('lose their tags when they are HTML, and no text', () => {
    const html =
      '<html><head><style>p{}</style></head><body><h1>A &amp; B</h1><script>x()</script><p>3 < 4\n and<br>more</p><ul><li>one</li></ul></body></html>';
    assert.equal(
      document({ contentType: 'text/html', data: base64(html) }).detail.text,
      'A & B\n\n3 < 4 and\nmore\n\n- one',
    );
  });

  it('are inflated when they are GZIP whatever the label says', () => {
    assert.equal(
      document({ contentType: 'text/plain', data: base64(gzipSync('hello')) }).detail.text,
      'hello',
    );
    const xml = gzipSync('<?xml version="1.0"?><ClinicalDocument/>');
    assert.equal(
      document({ contentType: 'text/plain', data: base64(xml) }).detail.unreadable,
      'XML, 40 bytes',
    );
  });

  it('that are no text are described by format and size', () => {
    const unreadable = (attachment: object) => {
      const { text, unreadable } = document(attachment).detail;
      assert.equal(text, null);
      return unreadable;
    };
    assert.equal(
      unreadable({ contentType: 'text/plain', data: base64(`%PDF-1.4${' '.repeat(119_992)}`) }),
      'PDF, 120 kB',
    );
    assert.equal(unreadable({ contentType: 'application/xml', data: base64('<a/>') }), 'XML, 4 bytes');
    assert.equal(unreadable({ contentType: 'image/png', data: base64('x') }), 'PNG image, 1 bytes');
    assert.equal(unreadable({ contentType: 'text/plain', data: '%%%2@()()' }), 'damaged data');
    assert.equal(
      unreadable({ contentType: 'text/plain', data: base64(Buffer.from([0x1f, 0x8b, 1])) }),
      'damaged data',
    );
    assert.equal(unreadable({ url: 'https://ehr.example/Binary/1' }), 'link, not fetched');
    assert.equal(unreadable({ url: 'Binary/1' }), 'link to Binary/1');
    assert.equal(unreadable({}), 'no content');
  });

  it('in a report and a document are one group, linked by the identifier', () => {
    const id = '78eb1ea7-7e46-5eba-a5d7-108eba5d294b';
    const data = base64('the same words');
    const report = only('note', {
      resourceType: 'DiagnosticReport',
      id,
      encounter: { reference: 'Encounter/1' },
      presentedForm: [{ contentType: 'text/plain', data }],
    });
    const twin = document(
      { contentType: 'text/plain', data },
      {
        identifier: [{ system: 'urn:ietf:rfc:3986', value: `urn:uuid:${id}` }],
        context: { encounter: [{ reference: 'Encounter/1' }] },
      },
    );
    assert.equal(twin.detail.sameAs, `urn:uuid:${id}`);
    assert.equal(twin.groupKey, report.groupKey);
    assert.equal(twin.visit, 'Encounter/1');
    const elsewhere = document(
      { contentType: 'text/plain', data },
      { context: { encounter: [{ reference: 'Encounter/2' }] } },
    );
    assert.notEqual(elsewhere.groupKey, report.groupKey);
  });

  it('belong to the day of the visit, not to the day the document was registered', () => {
    const context = { period: { start: '2019-03-01', end: '2019-03-03' } };
    const entry = document({ url: 'x' }, { date: '2022-11-18T20:45:05Z', context });
    assert.deepEqual([entry.day, entry.endText], ['2019-03-01', '2019-03-03']);
  });

  it('are one entry for every attachment', () => {
    const content = ['a', 'b'].map((words) => ({
      attachment: { contentType: 'text/plain', title: words, data: base64(words) },
    }));
    const entries = buildEntries(
      { resourceType: 'DocumentReference', type: { text: 'Note' }, content },
      NOTHING,
    );
    assert.deepEqual(
      entries.map(({ title }) => title),
      ['Note (a)', 'Note (b)'],
    );
  });

  it('are the sections of a composition, however deep', () => {
    const div = (words: string) => ({ text: { div: `<div>${words}</div>` } });
    const section = [{ title: 'Plan', ...div('Rest'), section: [{ title: 'Diet', ...div('Soup') }] }];
    const entries = buildEntries(
      { resourceType: 'Composition', title: 'Visit', date: '2021', section },
      NOTHING,
    );
    assert.deepEqual(
      entries.map((entry) => [entry.title, entry.kind === 'note' && entry.detail.text]),
      [
        ['Visit: Plan', 'Rest'],
        ['Visit: Diet', 'Soup'],
      ],
    );
  });
});

describe('reports', () => {
  const report = (more: object) => buildEntries({ resourceType: 'DiagnosticReport', ...more }, NOTHING);
  const LAB = { category: [coded('http://terminology.hl7.org/CodeSystem/v2-0074', 'LAB')] };
  const result = [{ reference: 'Observation/1' }];

  it('of a laboratory name their results', () => {
    const [entry] = report({ ...LAB, result });
    assert.ok(entry?.kind === 'lab');
    assert.deepEqual(
      [entry.detail.value, entry.detail.absent, entry.detail.members],
      [null, null, ['Observation/1']],
    );
  });

  it('of a laboratory say with their results what they conclude, and at length in a note too', () => {
    const conclude = (conclusion: string) =>
      report({ ...LAB, result, conclusion, conclusionCode: [{ text: 'Anemia' }] }).map((entry) =>
        entry.kind === 'lab' ? [entry.kind, entry.detail.note] : [entry.kind],
      );
    assert.deepEqual(conclude('Fine'), [['lab', 'Fine\nAnemia']]);
    const long = 'All is well. '.repeat(40).trim();
    assert.deepEqual(conclude(long), [['note'], ['lab', `${long}\nAnemia`]]);
  });

  it('of a laboratory without results become a lab with the conclusion as value', () => {
    const [entry] = report({ ...LAB, code: { text: 'Culture' }, conclusion: 'No growth' });
    assert.ok(entry?.kind === 'lab');
    assert.deepEqual([entry.title, entry.detail.value, entry.category], ['Culture', 'No growth', 'LABS']);
  });

  it('of other kinds become a note with their conclusion', () => {
    const [entry] = report({ category: [coded('x', 'RAD')], conclusion: 'Unremarkable study' });
    assert.ok(entry?.kind === 'note');
    assert.deepEqual([entry.detail.text, entry.category], ['Unremarkable study', 'IMAGING']);
  });

  it('that are visit notes belong to the clinical notes, whatever section filed them', () => {
    assert.equal(report({ category: [coded(LOINC, '34117-2')] })[0]?.category, 'CLINICAL_NOTES');
    assert.equal(
      report({ category: [coded(LOINC, 'LP29684-5')], code: coded(LOINC, '18842-5') })[0]?.category,
      'CLINICAL_NOTES',
    );
  });
});

describe('statements of absence', () => {
  it('of a visit and of a goal are neither, and have no status', () => {
    const visit = only('other', {
      resourceType: 'Encounter',
      status: 'finished',
      type: [{ text: 'No encounter diagnosis data is applicable' }],
    });
    assert.deepEqual([visit.status, visit.detail.type], [null, 'Encounter']);
    const { title, status: stated } = only('goal', {
      resourceType: 'Goal',
      lifecycleStatus: 'completed',
      description: { text: 'No goal and instruction data is applicable' },
    });
    assert.deepEqual([title, stated], ['No goal and instruction data is applicable', null]);
  });
});

describe('entries of other types', () => {
  it('have a title and a text', () => {
    const show = (resource: ParsedResource) => {
      const [entry] = buildEntries(resource, NOTHING);
      assert.ok(entry && isRecordEntry(entry));
      return [entry.title, entry.detail.text];
    };
    assert.deepEqual(
      show({
        resourceType: 'CarePlan',
        category: [coded('x', 'assess-plan'), { text: 'Fracture care' }],
        activity: [
          { detail: { code: { text: 'Rest' } } },
          { detail: { code: { text: 'Cast' }, status: 'cancelled' } },
          { detail: { description: 'Running', doNotPerform: true } },
          { detail: { code: { text: 'Mistake' }, status: 'entered-in-error' } },
        ],
      }),
      ['Care plan: Fracture care', 'Activities: Rest; Cast (cancelled); not to be done: Running'],
    );
    assert.deepEqual(
      show({
        resourceType: 'FamilyMemberHistory',
        relationship: { text: 'father' },
        condition: [{ code: { text: 'Stroke' }, onsetAge: { value: '74', code: 'a' } }],
      }),
      ['Family history: father', 'Stroke, age 74 years'],
    );
    assert.deepEqual(
      show({
        resourceType: 'Claim',
        type: { text: 'pharmacy' },
        item: [{ productOrService: { text: 'Checkup' } }, {}],
        total: { value: '255.00', currency: 'USD' },
      }),
      ['Claim: Checkup', 'pharmacy; 255.00 USD'],
    );
    assert.deepEqual(
      show({ resourceType: 'Device', type: { text: 'Walker' }, deviceName: [{ name: 'Walker' }] }),
      ['Walker', null],
    );
    assert.deepEqual(
      show({ resourceType: 'ServiceRequest', intent: 'plan', code: { text: 'Colonoscopy' } }),
      ['Plan: Colonoscopy', null],
    );
    assert.deepEqual(show({ resourceType: 'CarePlan', intent: 'proposal', title: 'Physiotherapy' }), [
      'Care plan: Physiotherapy (proposal)',
      null,
    ]);
    assert.deepEqual(show({ resourceType: 'NewType' }), ['New type without a name', null]);
  });

  it('are surveys of which each answer is a component', () => {
    const { title, detail } = only('survey', {
      resourceType: 'QuestionnaireResponse',
      questionnaire: 'http://example.org/Questionnaire/phq-2|1',
      item: [
        { item: [{ text: 'Sex', answer: [{ valueCoding: { code: 'f' } }] }] },
        { linkId: 'q2', answer: [{ valueString: 'tea' }, { valueQuantity: { value: '2', unit: 'cups' } }] },
        { text: 'Never answered', answer: [] },
      ],
    });
    assert.equal(title, 'Questionnaire: phq-2');
    assert.deepEqual(
      detail.components.map(({ label, value }) => [label, value]),
      [
        ['Sex', 'f'],
        ['q2', 'tea, 2 cups'],
      ],
    );
    const empty = only('survey', {
      resourceType: 'QuestionnaireResponse',
      text: { div: '<p>See paper</p>' },
    });
    assert.deepEqual([empty.detail.absent, empty.detail.note], ['no answers recorded', 'See paper']);
  });

  it('are statements where a record says that it has none', () => {
    for (const text of ['No immunization data is applicable', 'No known vaccinations'])
      assert.equal(
        only('immunization', { resourceType: 'Immunization', vaccineCode: { text } }).detail.none,
        true,
        text,
      );
    for (const text of ['No Information About Procedures', 'No procedure data is applicable'])
      assert.equal(only('procedure', { resourceType: 'Procedure', code: { text } }).detail.none, true, text);
    const vaccine = only('immunization', {
      resourceType: 'Immunization',
      vaccineCode: { text: 'Influenza' },
    });
    assert.equal(vaccine.detail.none, undefined);
  });

  it('are none for types that records are administered with', () => {
    for (const resourceType of [
      'Patient',
      'Organization',
      'Practitioner',
      'Medication',
      'Provenance',
      'Bundle',
    ]) {
      assert.deepEqual(buildEntries({ resourceType }, NOTHING), []);
    }
  });

  it('have a consent category for every type of FHIR R4, and for unknown types', () => {
    for (const resourceType of [...FHIR_RESOURCE_TYPES, 'constructor', '__proto__', '']) {
      assert.ok(ResourceScope.safeParse(categorizeResource({ resourceType })).success, resourceType);
    }
    assert.equal(categorizeResource({ resourceType: 'Patient' }), 'DEMOGRAPHICS');
    assert.equal(categorizeResource({ resourceType: 'Coverage' }), 'ADMINISTRATIVE_AND_BILLING');
  });
});

describe('an observation without a value in any component', () => {
  it('gives the reason once, and is no reading', () => {
    const part = (code: string) => ({ code: coded(LOINC, code), dataAbsentReason: status('unknown') });
    const { detail } = only('vital', {
      resourceType: 'Observation',
      code: coded(LOINC, '85354-9'),
      component: [part('8480-6'), part('8462-4')],
    });
    assert.deepEqual([detail.value, detail.absent, detail.components], [null, 'unknown', []]);
  });
});

describe('references', () => {
  it('that the entries need are listed once, without contained and foreign ones', () => {
    const resource = {
      resourceType: 'MedicationRequest',
      contained: [{ resourceType: 'Practitioner', id: 'p' }],
      medicationReference: { reference: 'Medication/1/_history/2' },
      encounter: { reference: 'Encounter/1' },
      requester: { reference: '#p' },
      performer: { reference: 'PractitionerRole/1' },
      reasonReference: [
        { reference: 'Condition/1' },
        { reference: 'Condition/1' },
        { reference: 'Condition/2', display: 'Told' },
      ],
      recorder: { reference: 'Practitioner?identifier=x|1' },
    };
    assert.deepEqual(findRequiredReferences(resource).toSorted(), [
      'Encounter/1',
      'Medication/1',
      'PractitionerRole/1',
    ]);
  });

  it('to a diagnosis show no more of it than the words beside them, since it needs a consent of its own', () => {
    const context = { resolve: () => ({ display: 'HIV infection', organization: null }) };
    const reason = (more: object) =>
      request({ reasonReference: [{ reference: 'Condition/1', ...more }] }, context).detail.reason;
    assert.equal(reason({}), null);
    assert.equal(reason({ display: 'Stroke' }), 'Stroke');
  });

  it('give an entry the organization of its visit where it names none', () => {
    const resource = { resourceType: 'Condition', encounter: { reference: 'Encounter/1' } };
    const context = { resolve: () => ({ display: 'Checkup', organization: 'General Hospital' }) };
    assert.equal(buildEntries(resource, context)[0]?.organization, 'General Hospital');
  });

  it('show the name and the organization of a resource', () => {
    const label = (resource: ParsedResource) => {
      const { display: label, organizationReference, organizationDisplay } = buildDisplay(resource);
      return [label, organizationReference, organizationDisplay];
    };
    assert.deepEqual(label({ resourceType: 'Organization', name: 'Clinic' }), ['Clinic', null, 'Clinic']);
    const name = [{ family: "O'Hara248", given: ['Zandra428'], prefix: ['Dr.'] }];
    assert.deepEqual(label({ resourceType: 'Practitioner', name }), ["Dr. Zandra428 O'Hara248", null, null]);
    const serviceProvider = { reference: 'Organization/1', display: 'Clinic' };
    assert.deepEqual(label({ resourceType: 'Encounter', type: [{ text: 'Checkup' }], serviceProvider }), [
      'Checkup',
      'Organization/1',
      'Clinic',
    ]);
    assert.deepEqual(label({ resourceType: 'Medication', code: { text: 'Aspirin' } }), [
      'Aspirin',
      null,
      null,
    ]);
    assert.deepEqual(
      label({
        resourceType: 'Location',
        name: 'Ward',
        managingOrganization: { display: 'H', type: 'Organization' },
      }),
      ['Ward', null, 'H'],
    );
  });
});
