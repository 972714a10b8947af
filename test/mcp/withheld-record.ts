/** A record that holds every category, every restricted class, duplicate notes, panels, and visits that reveal what belongs to them. */

type Part = Record<string, unknown>;

const SNOMED = 'http://snomed.info/sct';
const LOINC = 'http://loinc.org';
const ICD = 'http://hl7.org/fhir/sid/icd-10-cm';

const coded = (system: string, code: string, display: string): Part => ({
  coding: [{ system, code, display }],
  text: display,
});
const toReference = (reference: string): Part => ({ reference });
const visit = (id: string): Part => ({ encounter: toReference(`Encounter/${id}`) });
const active = { clinicalStatus: { coding: [{ code: 'active' }] } };
const label = (code: string): Part => ({
  meta: { security: [{ system: 'http://terminology.hl7.org/CodeSystem/v3-ActCode', code }] },
});

const condition = (id: string, code: Part, more: Part = {}): Part => ({
  resourceType: 'Condition',
  id,
  ...active,
  code,
  onsetDateTime: '2024-05-01',
  ...more,
});

const observation = (id: string, category: string, code: Part, more: Part = {}): Part => ({
  resourceType: 'Observation',
  id,
  status: 'final',
  category: [{ coding: [{ code: category }] }],
  code,
  effectiveDateTime: '2025-03-02T09:30:00Z',
  valueQuantity: { value: '5.40', unit: 'mmol/L' },
  ...more,
});

const encounter = (id: string, type: string, more: Part = {}): Part => ({
  resourceType: 'Encounter',
  id,
  status: 'finished',
  class: { code: 'AMB' },
  type: [{ text: type }],
  period: { start: '2025-03-02T09:00:00Z', end: '2025-03-02T10:00:00Z' },
  serviceProvider: toReference('Organization/clinic'),
  participant: [{ individual: toReference('Practitioner/ann') }],
  ...more,
});

const order = (id: string, more: Part): Part => ({
  resourceType: 'MedicationRequest',
  id,
  status: 'active',
  intent: 'order',
  authoredOn: '2025-03-02',
  requester: toReference('Practitioner/ann'),
  dosageInstruction: [{ text: 'once daily' }],
  ...more,
});

const base64 = (text: string): string => Buffer.from(text).toString('base64');

const documentReference = (id: string, text: string, more: Part = {}): Part => ({
  resourceType: 'DocumentReference',
  id,
  status: 'current',
  type: { text: 'Progress note' },
  date: '2025-03-02',
  author: [toReference('Practitioner/ann')],
  content: [{ attachment: { contentType: 'text/plain', data: base64(text) } }],
  ...more,
});

const diagnosticReport = (id: string, text: string, more: Part = {}): Part => ({
  resourceType: 'DiagnosticReport',
  id,
  status: 'final',
  category: [{ coding: [{ code: '34117-2' }] }],
  code: { text: 'History and physical note' },
  effectiveDateTime: '2025-03-02',
  presentedForm: [{ contentType: 'text/plain', data: base64(text) }],
  ...more,
});

const inEncounter = (id: string): Part => ({ context: { encounter: [toReference(`Encounter/${id}`)] } });

const ROUTINE = '# Plan\nRest and fluids. Knee pain when climbing stairs.';
const TALK = '# Session\nSpoke of the quarrel with the landlord and of sleeping badly.';

const people: Part[] = [
  {
    resourceType: 'Patient',
    id: 'p',
    name: [{ text: 'Ada Nowak' }],
    birthDate: '1970-04-01',
    gender: 'female',
  },
  {
    resourceType: 'RelatedPerson',
    id: 'kin',
    name: [{ text: 'Jan Nowak' }],
    relationship: [{ text: 'Brother' }],
  },
  { resourceType: 'Organization', id: 'clinic', name: 'Riverside Clinic' },
  { resourceType: 'Organization', id: 'harbor', name: 'Harbor Addiction Treatment' },
  { resourceType: 'Practitioner', id: 'ann', name: [{ text: 'Ann Lee' }] },
  {
    resourceType: 'Location',
    id: 'ward',
    name: 'Ward 3',
    managingOrganization: toReference('Organization/clinic'),
  },
  { resourceType: 'Medication', id: 'combination', code: { text: 'Emtricitabine / Tenofovir 200-300 MG' } },
  { resourceType: 'Medication', id: 'plain', code: { text: 'Amoxicillin 500 MG' } },
];

const visits: Part[] = [
  encounter('routine', 'General examination'),
  encounter('mind', 'Follow-up', {
    reasonCode: [{ text: 'Major depression' }],
    period: { start: '2025-02-01' },
  }),
  encounter('harbor', 'Intake', {
    serviceProvider: toReference('Organization/harbor'),
    period: { start: '2024-11-01' },
  }),
  encounter('part2', 'Intake', { ...label('42CFRPart2'), period: { start: '2024-10-01' } }),
  {
    resourceType: 'Appointment',
    id: 'next',
    status: 'booked',
    start: '2027-01-10T09:00:00Z',
    description: 'Check-up',
  },
];

const facts: Part[] = [
  condition('bp', coded(SNOMED, '59621000', 'Essential hypertension'), visit('routine')),
  condition('hiv', coded(ICD, 'B20', 'Immune disease'), visit('routine')),
  condition('low', { text: 'Recurrent depression' }),
  condition('sickle', coded(SNOMED, '127040003', 'Hb SS disease')),
  condition('expecting', { text: 'Normal pregnancy' }, { abatementDateTime: '2024-12-01' }),
  condition('cocaine', { text: 'Cocaine dependence' }, visit('part2')),
  condition('head', { text: 'Headache' }, { ...visit('mind'), onsetDateTime: '2025-02-01' }),
  condition('liver', { text: 'Fatty liver' }, visit('harbor')),
  condition('home', coded(SNOMED, '32911000', 'Homeless (finding)')),
  condition('secret', { text: 'Sprained ankle' }, label('R')),
  observation('glucose', 'laboratory', coded(LOINC, '2339-0', 'Glucose'), visit('routine')),
  observation('glucose2', 'laboratory', coded(LOINC, '2339-0', 'Glucose'), visit('mind')),
  observation('load', 'laboratory', coded(LOINC, '20447-9', 'Viral load'), { valueString: 'not detected' }),
  observation(
    'panel',
    'laboratory',
    { text: 'Panel' },
    {
      valueQuantity: undefined,
      component: [
        { code: { text: 'Sodium' }, valueQuantity: { value: '140', unit: 'mmol/L' } },
        { code: { text: 'Hemoglobin S' }, valueQuantity: { value: '40', unit: '%' } },
      ],
    },
  ),
  observation(
    'brca',
    'laboratory',
    { text: 'BRCA1 gene mutation analysis' },
    { valueString: 'no variant found' },
  ),
  observation('variant', 'laboratory', coded(LOINC, '69548-6', 'Allele'), { valueString: 'Present' }),
  ...['2024-01-05', '2024-07-05', '2025-02-01', '2025-03-02'].map((day, index) =>
    observation(`weight${index}`, 'vital-signs', coded(LOINC, '29463-7', 'Body weight'), {
      effectiveDateTime: day,
      valueQuantity: { value: `7${index}.0`, unit: 'kg' },
      ...visit(index === 2 ? 'mind' : 'routine'),
    }),
  ),
  observation('smoker', 'social-history', coded(LOINC, '72166-2', 'Tobacco smoking status'), {
    valueString: 'Never',
  }),
  observation('phq', 'survey', coded(LOINC, '44261-6', 'Total score'), { valueQuantity: { value: '14' } }),
  observation('race', 'social-history', coded(LOINC, '32624-9', 'Race'), { valueString: 'Other' }),
  order('metformin1', { medicationCodeableConcept: { text: 'Metformin 500 MG' }, ...visit('routine') }),
  order('metformin2', {
    medicationCodeableConcept: { text: 'Metformin 500 MG' },
    ...visit('mind'),
    authoredOn: '2025-02-01',
  }),
  order('byname', { medicationReference: toReference('Medication/combination') }),
  order('plainly', { medicationReference: toReference('Medication/plain'), status: 'completed' }),
  order('methadone', { medicationCodeableConcept: { text: 'Methadone 10 MG' }, ...visit('harbor') }),
  {
    resourceType: 'AllergyIntolerance',
    id: 'nuts',
    ...active,
    code: { text: 'Peanut' },
    recordedDate: '2020-01-01',
  },
  {
    resourceType: 'AllergyIntolerance',
    id: 'drug',
    ...active,
    code: { text: 'Sertraline' },
    recordedDate: '2021-01-01',
  },
  {
    resourceType: 'Procedure',
    id: 'scope',
    status: 'completed',
    code: { text: 'Colonoscopy' },
    performedDateTime: '2025-03-02',
    ...visit('routine'),
    location: toReference('Location/ward'),
  },
  {
    resourceType: 'Procedure',
    id: 'talk',
    status: 'completed',
    code: { text: 'Psychotherapy' },
    performedDateTime: '2025-02-01',
  },
  {
    resourceType: 'Immunization',
    id: 'flu',
    status: 'completed',
    vaccineCode: { text: 'Influenza' },
    occurrenceDateTime: '2024-10-10',
  },
  {
    resourceType: 'ImagingStudy',
    id: 'xray',
    status: 'available',
    started: '2024-09-09',
    description: 'Chest X-ray',
  },
  {
    resourceType: 'CarePlan',
    id: 'plan',
    status: 'active',
    intent: 'plan',
    title: 'Infection care',
    activity: [{ reference: toReference('Medication/plain') }],
  },
  {
    resourceType: 'Goal',
    id: 'goal',
    lifecycleStatus: 'active',
    description: { text: 'Walk daily' },
    startDate: '2024-01-01',
  },
  {
    resourceType: 'FamilyMemberHistory',
    id: 'mother',
    status: 'completed',
    relationship: { text: 'Mother' },
    condition: [{ code: { text: 'Gout' } }],
  },
  {
    resourceType: 'Claim',
    id: 'claim',
    status: 'active',
    type: { text: 'Institutional' },
    created: '2025-02-02',
    item: [{ encounter: [toReference('Encounter/mind')], productOrService: { text: 'Visit fee' } }],
  },
  { resourceType: 'Coverage', id: 'cover', status: 'active', type: { text: 'Public plan' } },
];

const notes: Part[] = [
  documentReference('d1', ROUTINE, inEncounter('routine')),
  diagnosticReport('r1', ROUTINE, visit('routine')),
  documentReference('d2', TALK, {
    ...inEncounter('mind'),
    securityLabel: [{ coding: [{ code: 'PSYTHPN' }] }],
  }),
  diagnosticReport('r2', TALK, visit('mind')),
  documentReference('d7', 'Came with a cousin, left early.', inEncounter('routine')),
  diagnosticReport('r7', 'Came with a cousin, left early.', { ...visit('routine'), ...label('GDIS') }),
  documentReference(
    'd3',
    'Asked about a place at the methadone program; waits for a call.',
    inEncounter('routine'),
  ),
  documentReference('d4', 'Met the counselor and signed the forms.', {
    ...inEncounter('part2'),
    ...label('42CFRPart2'),
  }),
  documentReference('d5', 'Prueba de VIH negativa; se repite en tres meses.', inEncounter('routine')),
  documentReference('d6', 'Eats well and sleeps well.', {
    ...inEncounter('harbor'),
    type: { text: 'Psychotherapy note' },
  }),
  {
    resourceType: 'DiagnosticReport',
    id: 'image',
    status: 'final',
    category: [{ coding: [{ code: 'RAD' }] }],
    code: { text: 'Chest X-ray report' },
    effectiveDateTime: '2024-09-09',
    conclusion: 'No fracture.',
    performer: [toReference('Organization/clinic')],
  },
  {
    resourceType: 'DiagnosticReport',
    id: 'other',
    status: 'final',
    code: { text: 'Sleep study' },
    effectiveDateTime: '2024-08-08',
    conclusion: 'Snores; light sleep.',
    ...visit('routine'),
  },
];

export const WITHHELD_RECORD: readonly Part[] = [...facts, ...notes, ...visits, ...people];

export const WITHHELD_VISITS = ['routine', 'mind', 'harbor', 'part2', 'nowhere'];

/** Words of what a consent may withhold, as written and misspelled. */
export const WITHHELD_WORDS = [
  'hypertension headache',
  'immune disease',
  'viral lode',
  'depresion',
  'methadon program',
  'metfromin',
  'emtricitabine',
  'landlord quarrel',
  'counselor forms',
  'VIH negativa',
  'hemoglobin glucose',
  'psychoterapy',
  'pregnancy -normal',
  'pain knee stairs',
  'sleep',
  'addiction harbor clinic',
  '"light sleep"',
  'cousin early',
  'influenza peanut colonoscopy gout',
];
