import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DataMask } from '../../../contract/brands.ts';
import { entry, measure, type TestEntry } from '../../../test/harness/chart.ts';
import { getVocabulary } from '../../../test/harness/vocabulary.ts';
import { createNameComparer } from '../concepts/compare-names.ts';
import { matchEntries } from './matches.ts';
import type { Details } from '../entries/entry.ts';
import type { ComparedRow } from './statement.ts';

const NAMES = createNameComparer(getVocabulary);

/** Entries of sources "a", "b" … in their order, and how they are linked: "a1=b1", "a1≠b1", the shown one first. */
async function links(...sources: readonly (readonly TestEntry[])[]): Promise<string[]> {
  const names = new Map<string, string>();
  const stored = sources.flatMap((entries, at) => {
    const source = String.fromCharCode(97 + at);
    return entries.map((given, place): ComparedRow => {
      const { seq, name } = { seq: at * 100 + place + 1, name: `${source}${place + 1}` };
      names.set(String(seq), name);
      const { requires: requiredLabels = 1 as DataMask, reference = `X/${name}`, detail, ...rest } = given;
      const kept = {
        sourceKey: source,
        documentPath: source,
        names: null,
        unlessCovered: null,
        detail: JSON.stringify(detail),
      };
      return {
        ...rest,
        ...kept,
        ...(given.names && { names: given.names }),
        seq,
        ordinal: 0,
        requiredLabels,
        reference,
      };
    });
  });
  const marks = await matchEntries(stored, NAMES);
  return marks
    .flatMap(({ seq, matches: elsewhere }) =>
      elsewhere.flatMap(({ seq: other, link }) => {
        const [one, two] = [names.get(String(seq)) ?? '', names.get(String(other)) ?? ''];
        if (link === 'differs') return one < two ? `${one}≠${two}` : [];
        return link === 'same' ? `${one}=${two}` : [];
      }),
    )
    .sort();
}

const SNOMED = 'http://snomed.info/sct';
const LOINC = 'http://loinc.org';

const condition = (title: string, rest: Parameters<typeof entry<'condition'>>[2] = {}): TestEntry =>
  entry('condition', title, rest);
const order = (dosage: string | null, rest: Parameters<typeof entry<'medication'>>[2] = {}): TestEntry =>
  entry('medication', 'Metformin 500 MG', {
    dayText: '2021-03-02',
    status: 'active',
    ...rest,
    detail: { dosage, ...rest.detail },
  });
const lab = (
  value: string | null,
  unit: string | null,
  rest: Parameters<typeof entry<'lab'>>[2] = {},
): TestEntry =>
  entry('lab', 'Glucose', {
    dayText: '2021-03-02',
    time: '09:30',
    ...rest,
    detail: { value, unit, ...rest.detail },
  });
const unnamed = (systolic: string): TestEntry =>
  entry('vital', 'Blood pressure', {
    dayText: '2021-03-02',
    detail: { vital: 'Blood Pressure', components: [measure('Sitting', systolic, 'mm[Hg]')] },
  });
const pressure = (systolic: string, diastolic: string | null): TestEntry =>
  entry('vital', 'Blood pressure', {
    dayText: '2021-03-02',
    detail: {
      vital: 'Blood Pressure',
      components: [
        { ...measure('Systolic', systolic, 'mm[Hg]'), code: `${LOINC}|8480-6` },
        { ...measure('Diastolic', '', 'mm[Hg]'), value: diastolic, code: `${LOINC}|8462-4` },
      ],
    },
  });

const vaccine = (dose: string): TestEntry =>
  entry('immunization', 'Hepatitis B', { dayText: '2025-01-01', detail: { dose } });
const asDirected = (dose: string | null): TestEntry =>
  order(`Take as directed${dose === null ? '' : ` (${dose})`}`, {
    detail: dose === null ? {} : { coded: { words: 'Take as directed', dose } },
  });
const stay = (rest: Parameters<typeof entry<'visit'>>[2]): TestEntry =>
  entry('visit', 'Admission', { dayText: '2025-01-01', status: 'finished', ...rest });
const emergency = (rest: Parameters<typeof entry<'visit'>>[2] = {}): TestEntry =>
  entry('visit', 'Visit (emergency)', { names: ['kind alone'], detail: { class: 'emergency' }, ...rest });
/** An entry that says in words when it was. */
const at = (built: TestEntry, when: string): TestEntry => ({ ...built, names: [`when ${when}`] });
const biopsy = (detail: Partial<Details['procedure']>): TestEntry =>
  entry('procedure', 'Biopsy', { dayText: '2025-01-01', detail });

const letter = (dayText: string, visit: string | null): TestEntry => ({
  ...entry('note', 'Letter', { dayText, visit }),
  names: ['text d1', 'whole d1'],
});

const paragraph = (dayText: string | null, visit: string | null): TestEntry => ({
  ...entry('note', 'Letter', { dayText, visit }),
  names: ['text d1', 'copy d1'],
});

/** What two sources say of one fact, and whether they contradict each other or agree as far as both say it. */
const SAME_FACT: readonly [rule: string, one: TestEntry, other: TestEntry, link: '≠' | '='][] = [
  ...(
    [
      ['severity', { severity: 'Mild' }, { severity: 'Severe' }, '≠'],
      [
        'severity in other words',
        { severity: 'Severe (severity modifier) (qualifier value)' },
        { severity: 'severe' },
        '=',
      ],
      ['stage', { stage: 'stage I' }, { stage: 'stage IV' }, '≠'],
      ['stage in other letters', { stage: 'Stage IIIA' }, { stage: '3a' }, '='],
      ['confirmation', { verification: 'confirmed' }, { verification: 'provisional' }, '≠'],
      ['doubt', { verification: 'unconfirmed' }, { verification: 'provisional' }, '='],
      ['severity of which one says nothing', { severity: 'Mild' }, { stage: 'I' }, '='],
    ] as const
  ).map(([rule, one, other, link]): (typeof SAME_FACT)[number] => [
    `a condition by its ${rule}`,
    condition('Cancer', { dayText: '2025', detail: one }),
    condition('Cancer', { dayText: '2025', detail: other }),
    link,
  ]),
  [
    'a condition by its end',
    condition('Cancer', { endText: '2025-01-05' }),
    condition('Cancer', { endText: '2025-02' }),
    '≠',
  ],
  [
    'a condition by the precision of its end',
    condition('Cancer', { endText: '2025-01-05' }),
    condition('Cancer', { endText: '2025-01' }),
    '=',
  ],
  ['a procedure by its outcome', biopsy({ outcome: 'benign' }), biopsy({ outcome: 'malignant' }), '≠'],
  ['a procedure by an outcome that one gives', biopsy({ outcome: 'Benign.' }), biopsy({}), '='],
  [
    'a procedure by its complications',
    biopsy({ complications: 'None' }),
    biopsy({ complications: 'Bleeding' }),
    '≠',
  ],
  ['a visit by its end', stay({ endText: '2025-01-03' }), stay({ endText: '2025-01-04' }), '≠'],
  ['a visit by an end that one gives', stay({ endText: '2025-01-03' }), stay({}), '='],
  [
    'a visit by where it led',
    stay({ detail: { disposition: 'home' } }),
    stay({ detail: { disposition: 'died' } }),
    '≠',
  ],
  [
    'a visit by other words for where it led',
    stay({ detail: { disposition: 'Discharged to home or self care (routine discharge)' } }),
    stay({ detail: { disposition: 'Home' } }),
    '=',
  ],
  ['a visit that did not take place', stay({}), stay({ status: 'cancelled' }), '≠'],
  ['a visit that was under way', stay({}), stay({ status: 'in-progress' }), '='],
  ['a vaccination by its number', vaccine('dose 1'), vaccine('dose 2'), '≠'],
  ['a vaccination by a number of how many', vaccine('dose 1 of 3 (Engerix)'), vaccine('dose 1'), '='],
  ['a vaccination by its amount', vaccine('dose 1, 0.5 mL'), vaccine('dose 1, 1.0 mL'), '≠'],
  ['a vaccination by the spelling of its amount', vaccine('0.50 milliLiter(s)'), vaccine('0.5 cc'), '='],
  ['a vaccination counted in doses', vaccine('1 dose'), vaccine('0.5 mL'), '='],
  [
    'an allergy by its certainty',
    entry('allergy', 'Peanut', { detail: { verification: 'confirmed' } }),
    entry('allergy', 'Peanut', { detail: { verification: 'unconfirmed' } }),
    '≠',
  ],
  [
    'an allergy or an intolerance',
    entry('allergy', 'Peanut', { detail: { type: 'allergy' } }),
    entry('allergy', 'Peanut', { detail: { type: 'intolerance' } }),
    '≠',
  ],
  [
    'an order by its end',
    order('daily from 2021-03-02 to 2021-03-09'),
    order('daily from 2021-03-02 to 2021-04-09'),
    '≠',
  ],
  ...(
    [
      ['dose that is coded', '5 mg', '10 mg', '≠'],
      ['spelling of its coded dose', '5.0 mg', '5 MG', '='],
      ['coded dose without a unit', 'dose 5', '5 mg', '='],
      ['coded dose that one gives', '5 mg', null, '='],
      ['coded doses of several steps', '40 mg; 20 mg', '40 mg; 10 mg', '≠'],
    ] as const
  ).map(([rule, one, other, link]): (typeof SAME_FACT)[number] => [
    `an order by the ${rule}`,
    asDirected(one),
    asDirected(other),
    link,
  ]),
  [
    'an order by the precision of its end',
    order('daily until 2021-03-09'),
    order('daily until 2021-03'),
    '=',
  ],
  [
    'smoking by its end',
    entry('social_history', 'Smoking', { dayText: '2005-01-01', endText: '2009', detail: { value: 'Yes' } }),
    entry('social_history', 'Smoking', { dayText: '2005-01-01', endText: '2012', detail: { value: 'Yes' } }),
    '≠',
  ],
];

/** What the one and the other source say, and how that is taken. */
const RULES: readonly [rule: string, one: TestEntry[], other: TestEntry[], expected: string[]][] = [
  [
    'a condition of the same name and day',
    [condition('Asthma', { dayText: '2010-05-03' })],
    [condition('asthma (disorder)', { dayText: '2010-05-03' })],
    ['a1=b1'],
  ],
  [
    'a condition with a less precise date',
    [condition('Asthma', { dayText: '2010' })],
    [condition('Asthma', { dayText: '2010-05-03' })],
    ['b1=a1'],
  ],
  [
    'a condition of another day',
    [condition('Asthma', { dayText: '2010-05-03' })],
    [condition('Asthma', { dayText: '2010-05-04' })],
    [],
  ],
  [
    'a condition without a date',
    [condition('Asthma')],
    [condition('Asthma', { dayText: '2010' })],
    ['b1=a1'],
  ],
  [
    'a condition by any of its codes',
    [condition('Asthma', { code: `${SNOMED}|195967001`, names: ['code icd|J45'] })],
    [condition('Bronchial asthma', { code: 'icd|J45' })],
    ['a1=b1'],
  ],
  [
    'two conditions of one name and two codes',
    [condition('Diabetes', { code: `${SNOMED}|44054006` })],
    [condition('Diabetes', { code: `${SNOMED}|46635009` })],
    [],
  ],
  [
    'a condition active here and resolved there',
    [condition('Asthma', { dayText: '2010', detail: { clinicalStatus: 'active' } })],
    [condition('Asthma', { dayText: '2010', detail: { clinicalStatus: 'resolved' } })],
    ['a1≠b1'],
  ],
  [
    'a condition of which one source has no status',
    [condition('Asthma', { dayText: '2010' })],
    [condition('Asthma', { dayText: '2010', detail: { clinicalStatus: 'resolved' } })],
    ['b1=a1'],
  ],
  ['an order in other spelling', [order('1.0 Tablet  daily.')], [order('1 tablet daily')], ['a1=b1']],
  ['an order of which one source has no dosage', [order(null)], [order('1 tablet daily')], ['b1=a1']],
  [
    'an order with a less precise day in its dosage',
    [order('daily from 2021-03-02')],
    [order('daily from 2021-03')],
    ['a1=b1'],
  ],
  ['two doses', [order('1 tablet daily')], [order('2 tablets daily')], ['a1≠b1']],
  [
    'an order still active and one stopped',
    [order('daily')],
    [order('daily', { status: 'stopped' })],
    ['a1≠b1'],
  ],
  [
    'an order and a statement of it',
    [order('daily')],
    [order('daily', { detail: { resource: 'MedicationStatement', intent: null } })],
    ['a1=b1'],
  ],
  [
    'an order and a dose given',
    [order('daily')],
    [order('daily', { detail: { resource: 'MedicationAdministration' } })],
    [],
  ],
  [
    'an order and its prohibition',
    [order('daily')],
    [order('daily', { groupKey: 'not:text:metformin 500 mg' })],
    [],
  ],
  ['a renewal', [order('daily')], [order('daily', { dayText: '2021-04-02' })], []],
  ['a result with other digits', [lab('98.60', 'mg/dL')], [lab('98.6', 'mg/dl')], ['a1=b1']],
  [
    'a result of which one source has no time',
    [lab('5.4', 'mmol/L', { time: null })],
    [lab('5.4', 'mmol/L')],
    ['b1=a1'],
  ],
  ['a result of which one source has no unit', [lab('5.4', null)], [lab('5.4', 'mmol/L')], ['b1=a1']],
  ['a result of another time', [lab('5.4', 'mmol/L')], [lab('5.4', 'mmol/L', { time: '17:00' })], []],
  ['two values of one time', [lab('5.4', 'mmol/L')], [lab('6.1', 'mmol/L')], ['a1≠b1']],
  ['two values in two units', [lab('5.4', 'mmol/L')], [lab('97', 'mg/dL')], []],
  [
    'two values of one day, one without a time',
    [lab('5.4', 'mmol/L', { time: null })],
    [lab('6.1', 'mmol/L')],
    [],
  ],
  [
    'two tests of one name',
    [lab('5.4', 'mmol/L', { code: `${LOINC}|2345-7` })],
    [lab('5.4', 'mmol/L', { code: `${LOINC}|5792-7` })],
    [],
  ],
  ['a value that is not there and one that is', [lab(null, null)], [lab('5.4', 'mmol/L')], ['b1=a1']],
  [
    'a vital sign under two codes',
    [
      entry('vital', 'Weight', {
        dayText: '2021',
        code: `${LOINC}|29463-7`,
        detail: { vital: 'Weight', value: '70.0', unit: 'kg' },
      }),
    ],
    [
      entry('vital', 'Body weight', {
        dayText: '2021',
        code: `${LOINC}|3141-9`,
        detail: { vital: 'Weight', value: '70', unit: 'kg' },
      }),
    ],
    ['a1=b1'],
  ],
  ['both pressures', [pressure('120', '80')], [pressure('120.0', '80.0')], ['a1=b1']],
  [
    'both pressures, of which one source leaves one out',
    [pressure('120', '80')],
    [pressure('120', null)],
    ['a1=b1'],
  ],
  ['pressures that are neither', [unnamed('120')], [unnamed('140')], ['a1≠b1']],
  ['another pressure', [pressure('120', '80')], [pressure('120', '85')], ['a1≠b1']],
  [
    'a pressure that is a part of both',
    [pressure('120', '80')],
    [
      entry('vital', 'Systolic', {
        dayText: '2021-03-02',
        code: `${LOINC}|8480-6`,
        detail: { vital: 'Blood Pressure', value: '120', unit: 'mmHg' },
      }),
    ],
    ['a1=b1'],
  ],
  [
    'an allergy, whenever it was recorded',
    [entry('allergy', 'Peanut', { dayText: '2001' })],
    [entry('allergy', 'PEANUT', { dayText: '2020-01-01' })],
    ['a1=b1'],
  ],
  [
    'an allergy of which one source has reactions',
    [entry('allergy', 'Peanut')],
    [entry('allergy', 'Peanut', { detail: { reactions: ['Hives'] } })],
    ['b1=a1'],
  ],
  [
    'an allergy with other reactions',
    [entry('allergy', 'Peanut', { detail: { reactions: ['Anaphylaxis'] } })],
    [entry('allergy', 'Peanut', { detail: { reactions: ['Hives'] } })],
    ['a1≠b1'],
  ],
  [
    'an allergy no longer in force',
    [entry('allergy', 'Peanut')],
    [entry('allergy', 'Peanut', { detail: { clinicalStatus: 'inactive' } })],
    ['a1≠b1'],
  ],
  [
    'a result that was cancelled',
    [entry('lab', 'Potassium', { dayText: '2020-01-01', detail: { value: '9.9' } })],
    [entry('lab', 'Potassium', { dayText: '2020-01-01', status: 'cancelled', detail: { value: '4.1' } })],
    [],
  ],
  [
    'an allergy refuted',
    [entry('allergy', 'Peanut')],
    [entry('allergy', 'Peanut', { detail: { verification: 'refuted' } })],
    ['a1≠b1'],
  ],
  [
    'a procedure of the same day',
    [entry('procedure', 'Colonoscopy', { dayText: '2020-01-01', time: '09:00' })],
    [entry('procedure', 'Colonoscopy', { dayText: '2020-01-01', time: '10:00' })],
    ['a1=b1'],
  ],
  [
    'a procedure on either side',
    [entry('procedure', 'Arthroscopy', { dayText: '2020-01-01', detail: { bodySite: 'Left knee' } })],
    [entry('procedure', 'Arthroscopy', { dayText: '2020-01-01', detail: { bodySite: 'Right knee' } })],
    [],
  ],
  [
    'a procedure done and not done',
    [entry('procedure', 'Colonoscopy', { dayText: '2020-01-01' })],
    [entry('procedure', 'Colonoscopy', { dayText: '2020-01-01', status: 'not-done' })],
    ['a1≠b1'],
  ],
  [
    'a vaccination',
    [entry('immunization', 'Influenza', { dayText: '2020-10-01' })],
    [entry('immunization', 'Influenza', { dayText: '2020-10-01', detail: { lot: 'AB1' } })],
    ['b1=a1'],
  ],
  [
    'a vaccination of another lot',
    [entry('immunization', 'Influenza', { dayText: '2020-10-01', detail: { lot: 'AB2' } })],
    [entry('immunization', 'Influenza', { dayText: '2020-10-01', detail: { lot: 'AB1' } })],
    ['a1≠b1'],
  ],
  [
    'a vaccination not given',
    [entry('immunization', 'Influenza', { dayText: '2020-10-01' })],
    [entry('immunization', 'Influenza', { dayText: '2020-10-01', detail: { notDone: true } })],
    ['a1≠b1'],
  ],
  [
    'a visit of one type and day',
    [entry('visit', 'Check-up', { dayText: '2020-10-01', time: '09:00' })],
    [entry('visit', 'Check-up', { dayText: '2020-10-01' })],
    ['a1=b1'],
  ],
  [
    'a visit of one type and day for another reason',
    [entry('visit', 'Check-up', { dayText: '2020-10-01', detail: { reason: 'Cough (finding)' } })],
    [entry('visit', 'Check-up', { dayText: '2020-10-01', detail: { reason: 'Eye exam' } })],
    [],
  ],
  [
    'a visit of one type and day for the same reasons in other order, or for none',
    [entry('visit', 'Check-up', { dayText: '2020-10-01', detail: { reason: 'Cough (finding); Fever' } })],
    [
      entry('visit', 'Check-up', { dayText: '2020-10-01', detail: { reason: 'fever; cough' } }),
      entry('visit', 'Check-up', { dayText: '2020-10-01' }),
    ],
    ['a1=b1'],
  ],
  [
    'a condition on either side',
    [condition('Fracture', { dayText: '2010', detail: { bodySite: 'Left wrist' } })],
    [condition('Fracture', { dayText: '2010', detail: { bodySite: 'Right ankle' } })],
    [],
  ],
  [
    'a condition of which one source has no site',
    [condition('Fracture', { dayText: '2010' })],
    [condition('Fracture', { dayText: '2010', detail: { bodySite: 'Right ankle' } })],
    ['b1=a1'],
  ],
  [
    'a culture of another specimen, and a number',
    [
      lab('No growth', null, { detail: { specimen: 'Urine' } }),
      lab('5.4', 'mmol/L', { detail: { specimen: 'Serum' } }),
    ],
    [
      lab('No growth', null, { detail: { specimen: 'Blood' } }),
      lab('5.4', 'mmol/L', { detail: { specimen: 'Blood' } }),
    ],
    ['a2=b2'],
  ],
  [
    'a result of another part of the body',
    [lab('5.4', 'mmol/L', { detail: { bodySite: 'Left arm' } })],
    [lab('5.4', 'mmol/L', { detail: { bodySite: 'Right arm' } })],
    [],
  ],
  [
    'a susceptibility that contradicts another',
    [lab(null, null, { detail: { interpretation: 'Resistant' } })],
    [lab(null, null, { detail: { interpretation: 'Susceptible' } })],
    ['a1≠b1'],
  ],
  [
    'a panel with another conclusion',
    [lab(null, null, { detail: { note: 'Start a statin.' } })],
    [lab(null, null, { detail: { note: 'All is well.' } })],
    [],
  ],
  [
    'a dose of another time',
    [order('daily', { time: '08:00', detail: { resource: 'MedicationAdministration' } })],
    [order('daily', { time: '20:00', detail: { resource: 'MedicationAdministration' } })],
    [],
  ],
  [
    'a dispense of another amount',
    [order('daily', { detail: { resource: 'MedicationDispense', supply: '30 tablets' } })],
    [order('daily', { detail: { resource: 'MedicationDispense', supply: '10 tablets' } })],
    [],
  ],
  [
    'a vaccination that counts less in one source',
    [entry('immunization', 'Influenza', { dayText: '2020-10-01', detail: { subpotent: 'warm' } })],
    [entry('immunization', 'Influenza', { dayText: '2020-10-01' })],
    ['a1≠b1'],
  ],
  [
    'what an unknown modifier changes',
    [
      entry('vital', 'Weight (with an unknown modifier)', {
        dayText: '2021',
        detail: { vital: 'Weight', value: '70' },
      }),
    ],
    [entry('vital', 'Weight', { dayText: '2021', detail: { vital: 'Weight', value: '70' } })],
    [],
  ],
  [
    'what has no name',
    [entry('other', 'Flag without a name', { dayText: '2021' })],
    [entry('other', 'Flag without a name', { dayText: '2021' })],
    [],
  ],
  [
    'a visit of one class and minute',
    [entry('visit', 'Check-up', { dayText: '2020-10-01', time: '09:00' })],
    [entry('visit', 'Office visit', { dayText: '2020-10-01', time: '09:00' })],
    ['a1=b1'],
  ],
  [
    'a visit of one class and day',
    [entry('visit', 'Check-up', { dayText: '2020-10-01', time: '09:00' })],
    [entry('visit', 'Office visit', { dayText: '2020-10-01' })],
    [],
  ],
  [
    'a note of the same words',
    [{ ...entry('note', 'Progress note', { dayText: '2020-10-01' }), names: ['text d1'] }],
    [{ ...entry('note', 'Letter', { dayText: '2020-10-01' }), names: ['text d1'] }],
    ['a1=b1'],
  ],
  ...(
    [
      ['a long text under two days', null, null, ['a1=b1']],
      ['a long text of a visit, and a copy of it', null, 'Encounter/1', ['b1=a1']],
      ['a long text that two visits repeat', 'Encounter/1', 'Encounter/2', []],
    ] as const
  ).map(([rule, one, other, expected]): (typeof RULES)[number] => [
    rule,
    [letter('2020-10-01', one)],
    [letter('2021-10-01', other)],
    [...expected],
  ]),
  ...(
    [
      ['a note without a date, and the one of which it is a copy', '2020-10-01', null, null, ['a1=b1']],
      ['a copy without a date that belongs to another visit', '2020-10-01', null, 'Encounter/2', []],
      ['the same words on two days', '2020-10-01', '2021-10-01', null, []],
    ] as const
  ).map(([rule, one, other, visit, expected]): (typeof RULES)[number] => [
    rule,
    [paragraph(one, 'Encounter/1')],
    [paragraph(other, visit)],
    [...expected],
  ]),
  [
    'one of two notes of the same words, without a date',
    [paragraph('2020-10-01', 'Encounter/1'), paragraph('2020-11-01', 'Encounter/2')],
    [paragraph(null, null)],
    ['a1=b1'],
  ],
  [
    'two notes of one title',
    [{ ...entry('note', 'Progress note', { dayText: '2020-10-01' }), names: ['text d1'] }],
    [{ ...entry('note', 'Progress note', { dayText: '2020-10-01' }), names: ['text d2'] }],
    [],
  ],
  [
    'a plan',
    [entry('other', 'Diet', { dayText: '2020-10-01' })],
    [entry('other', 'Diet', { dayText: '2020-10-01' })],
    ['a1=b1'],
  ],
  [
    'a plan of another type',
    [entry('other', 'Diet', { dayText: '2020-10-01' })],
    [entry('other', 'Diet', { dayText: '2020-10-01', detail: { type: 'Goal' } })],
    [],
  ],
  [
    'an identifier beside a missing date',
    [order('daily', { dayText: null, names: ['id urn:oid:1|7'] })],
    [order('daily', { names: ['id urn:oid:1|7'] })],
    ['b1=a1'],
  ],
  [
    'an identifier on another drug',
    [order('daily', { names: ['id urn:oid:1|7'] })],
    [
      {
        ...entry('medication', 'Aspirin', {
          dayText: '2021-03-02',
          status: 'active',
          detail: { dosage: 'daily' },
        }),
        names: ['id urn:oid:1|7'],
      },
    ],
    [],
  ],
  [
    'the first with the first of a result that both state twice',
    [lab('5.4', 'mmol/L'), lab('5.4', 'mmol/L')],
    [lab('5.4', 'mmol/L'), lab('5.4', 'mmol/L')],
    ['a1=b1', 'a2=b2'],
  ],
  ['one of two', [lab('5.4', 'mmol/L'), lab('5.4', 'mmol/L')], [lab('5.4', 'mmol/L')], ['a1=b1']],
  [
    'no contradiction with the other of two readings',
    [lab('6.1', 'mmol/L'), lab('7.0', 'mmol/L')],
    [lab('7.0', 'mmol/L')],
    ['a2=b1'],
  ],
  [
    'no contradiction where one source has one reading more',
    [lab('5.4', 'mmol/L'), lab('6.1', 'mmol/L')],
    [lab('5.4', 'mmol/L')],
    ['a1=b1'],
  ],
  ...(
    [
      ['a procedure', entry('procedure', 'Colonoscopy'), ['about 2005', 'spring of 2021'], 'About  2005.'],
      ['an immunization', entry('immunization', 'Tetanus'), ['about 2001', '2024'], 'about 2001'],
      ['a condition', condition('Pneumonia'), ['age 5 years', 'age 50 years'], 'age 5 years'],
      ['an allergy', entry('allergy', 'Penicillin'), ['age 5 years', 'age 50 years'], 'age 5 years'],
      [
        'a condition written down on one day',
        condition('Pneumonia', { dayText: '2024-01-01' }),
        ['age 5 years', 'age 50 years'],
        'age 5 years',
      ],
    ] as const
  ).flatMap(([what, built, [first, second], alike]): (typeof RULES)[number][] => [
    [`${what} of other words for a date`, [at(built, first)], [at(built, second)], []],
    [`${what} of the same words for a date`, [at(built, first)], [at(built, alike)], ['a1=b1']],
  ]),
  [
    'a procedure with a date in words and one without any',
    [at(entry('procedure', 'Colonoscopy'), 'about 2005')],
    [entry('procedure', 'Colonoscopy')],
    [],
  ],
  [
    'a condition with a date in words and a dated one',
    [at(condition('Pneumonia'), 'age 5 years')],
    [condition('Pneumonia', { dayText: '2010-05-05' })],
    [],
  ],
  [
    'a condition with a date in words and one without any',
    [at(condition('Pneumonia'), 'age 5 years')],
    [condition('Pneumonia')],
    ['a1=b1'],
  ],
  [
    'a condition whose words are a year',
    [at(condition('Pneumonia'), '2010')],
    [condition('Pneumonia', { dayText: '2010-05-05' })],
    ['b1=a1'],
  ],
  [
    'conditions that ended at other ages',
    [condition('Pneumonia', { detail: { abatement: 'age 6 years' } })],
    [condition('Pneumonia', { detail: { abatement: 'age 60 years' } })],
    [],
  ],
  ['undated visits that have a class alone', [emergency()], [emergency()], []],
  [
    'visits of a day that have a class alone',
    [emergency({ dayText: '2024-03-01' })],
    [emergency({ dayText: '2024-03-01' })],
    [],
  ],
  [
    'visits of a minute that have a class alone',
    [emergency({ dayText: '2024-03-01', time: '09:00' })],
    [emergency({ dayText: '2024-03-01', time: '09:00' })],
    ['a1=b1'],
  ],
  [
    'undated visits that have a class alone, by their number',
    [emergency({ names: ['kind alone', 'id http://a|1'] })],
    [emergency({ names: ['kind alone', 'id http://a|1'] })],
    ['a1=b1'],
  ],
  [
    'visits of other numbers of one system',
    [stay({ names: ['id http://a|1'] })],
    [stay({ names: ['id http://a|2'] })],
    [],
  ],
  [
    'visits of numbers of other systems, and of numbers that each document makes up',
    [stay({ names: ['id http://a|1', 'id urn:ietf:rfc:3986|urn:uuid:1'] })],
    [stay({ names: ['id http://b|2', 'id urn:ietf:rfc:3986|urn:uuid:2'] })],
    ['a1=b1'],
  ],
  ...(['condition', 'procedure', 'immunization', 'goal'] as const).map((kind): (typeof RULES)[number] => [
    `an undated ${kind} of other numbers of one system`,
    [entry(kind, 'Asthma', { names: ['id http://a|1'] })],
    [entry(kind, 'Asthma', { names: ['id http://a|2'] })],
    [],
  ]),
  [
    'a condition of one day and other numbers of one system',
    [condition('Asthma', { dayText: '2010-05-03', names: ['id http://a|1'] })],
    [condition('Asthma', { dayText: '2010-05-03', names: ['id http://a|2'] })],
    ['a1=b1'],
  ],
  [
    'procedures that have a category alone',
    [entry('procedure', 'Surgical procedure', { dayText: '2024-03-01', names: ['kind alone'] })],
    [entry('procedure', 'Surgical procedure', { dayText: '2024-03-01', names: ['kind alone'] })],
    [],
  ],
];

describe('record linkage of two sources', () => {
  for (const [rule, one, other, expected] of RULES)
    it(`links ${rule}: ${expected.join(', ') || 'two facts'}`, async () => {
      assert.deepEqual(await links(one, other), expected);
      // Whichever comes first.
      const swapped = (name: string): string =>
        name.replace(/[ab]/g, (source) => (source === 'a' ? 'b' : 'a'));
      const turned = (await links(other, one)).map((link) =>
        link.includes('≠') ? swapped(link).split('≠').sort().join('≠') : swapped(link),
      );
      assert.deepEqual(turned.map(unordered).sort(), expected.map(unordered).sort());
    });

  for (const [rule, one, other, link] of SAME_FACT)
    it(`compares ${rule}: ${link}`, async () => {
      for (const sources of [
        [one, other],
        [other, one],
      ])
        assert.deepEqual(
          (await links(...sources.map((each) => [each]))).map((each) => each.replace(/\w+/g, '')),
          [link],
        );
    });

  it('links nothing that one source states twice', async () => {
    assert.deepEqual(await links([lab('5.4', 'mmol/L'), lab('5.4', 'mmol/L'), lab('6.1', 'mmol/L')]), []);
  });

  it('shows a fact of 25 sources once, with all of them', async () => {
    const linked = await links(...Array.from({ length: 25 }, () => [lab('5.4', 'mmol/L')]));
    assert.equal(linked.length, 24);
    assert.ok(linked.every((link) => link.startsWith('a1=')));
  });

  it('names an undated fact at one of several that it agrees with, and the unread variant of a resource at none', async () => {
    const row = (seq: number, given: TestEntry, rest: Partial<ComparedRow> = {}): ComparedRow => ({
      ...given,
      names: null,
      requiredLabels: 1 as DataMask,
      unlessCovered: null,
      seq,
      ordinal: 0,
      reference: `X/${seq}`,
      documentPath: String(seq),
      sourceKey: String(seq),
      detail: JSON.stringify(given.detail),
      ...rest,
    });
    const rows = [
      row(1, condition('Asthma', { dayText: '2010-05-03' })),
      row(2, condition('Asthma', { dayText: '2012' }), { requiredLabels: 3 as DataMask }),
      row(3, condition('Asthma', { dayText: '2014' })),
      row(4, condition('Asthma')),
      row(5, condition('Asthma'), { unlessCovered: [5 as DataMask] }),
    ];
    const same = (await matchEntries(rows, NAMES)).flatMap(({ seq, matches }) =>
      matches.flatMap(({ link, seq: other, unless }) =>
        link === 'same' ? `${seq}=${other}${unless.length === 0 ? '' : ` unless ${unless.join()}`}` : [],
      ),
    );
    assert.deepEqual(same.sort(), [
      '1=4',
      '1=5 unless 5',
      '2=4 unless 1',
      '2=5 unless 1,5',
      '3=4 unless 1,3',
      '3=5 unless 1,3,5',
    ]);
  });

  it('links two precise dates by way of a vague one to neither of each other', async () => {
    const linked = await links(
      [condition('Asthma', { dayText: '2010-05-03' })],
      [condition('Asthma', { dayText: '2010' })],
      [condition('Asthma', { dayText: '2010-08-01' })],
    );
    assert.deepEqual(linked, ['a1=b1', 'c1=b1']);
  });

  it('stores the masks of better entries, so that a consent that does not cover them shows the worse one', async () => {
    const { names: _, ...better } = { ...lab('5.4', 'mmol/L', { detail: { note: 'fasting' } }), names: null };
    const stored = [
      { ...better, requiredLabels: 0b11 as DataMask, sourceKey: 'a' },
      { ...lab('5.4', 'mmol/L'), requiredLabels: 0b01 as DataMask, sourceKey: 'b' },
      { ...lab('5.4', 'mmol/L'), requiredLabels: 0b01 as DataMask, sourceKey: 'c' },
    ].map((each, index): ComparedRow => ({
      ...each,
      names: null,
      unlessCovered: null,
      seq: index + 1,
      ordinal: 0,
      reference: `X/${index + 1}`,
      documentPath: each.sourceKey,
      detail: JSON.stringify(each.detail),
    }));
    const marks = new Map((await matchEntries(stored, NAMES)).map((mark) => [mark.seq, mark]));
    assert.deepEqual(marks.get(1)?.supersededBy, []);
    assert.deepEqual(marks.get(2)?.supersededBy, [0b11]);
    // Whoever sees the third sees the second, and only those who see the first see neither.
    assert.deepEqual(marks.get(3)?.supersededBy, [0b01, 0b11]);
    assert.deepEqual(
      marks.get(3)?.matches.map(({ link }) => link),
      ['better', 'better'],
    );
  });
});

/** Where both state as much the reference decides, which here depends on the source. */
const unordered = (link: string): string =>
  link
    .split(/(?<=[=≠])|(?=[=≠])/)
    .filter((part) => /\w/.test(part))
    .sort()
    .join(link.includes('≠') ? '≠' : '=');
