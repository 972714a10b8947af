/** A question of a patient or of a care agent, and the calls whose texts answer it. */
export interface Question {
  question: string;
  /** Name of the record that holds the answer, or the end of it. */
  record: string;
  calls: readonly (readonly [tool: string, input: object])[];
  /** Words of one row of the answers, with its headings and the heads of its columns. */
  answer: readonly string[];
}

const LIFETIME = { years: 150 };

/** `docs/agents.md` shows them with their answers. */
export const QUESTIONS: readonly Question[] = [
  {
    question: 'Which germ grew, and what is it resistant to?',
    record: 'probes/links-and-empty-codes.json',
    calls: [['get_labs', LIFETIME]],
    answer: ['Staphylococcus aureus', 'Oxacillin', 'Resistant'],
  },
  {
    question: 'When did I have pneumonia?',
    record: 'probes/links-and-empty-codes.json',
    calls: [['get_conditions', LIFETIME]],
    answer: ['Pneumonia', '2024-02-01', 'Condition/und'],
  },
  {
    question: 'Who ordered metformin, and since when?',
    record: 'Darrel772 Davis923',
    calls: [['get_medications', LIFETIME]],
    answer: ['Metformin', '2021-07-01', '66 orders', '2006-04-06', 'MedicationRequest/7c72db30'],
  },
  {
    question: 'What is abnormal in my laboratory results?',
    record: 'ccda/cerner',
    calls: [['get_labs', LIFETIME]],
    answer: ['2013-07-10', 'Glucose, Random', '185'],
  },
  {
    question: 'Has my weight changed?',
    record: 'Mindi87 Homenick806',
    calls: [['get_vitals', { vitals: ['Weight'], ...LIFETIME }]],
    answer: ['Weight', '2021-06-14', '55'],
  },
  {
    question: 'Which vaccinations have no date?',
    record: 'ccda/unstructured-and-embedded',
    calls: [['get_immunizations', LIFETIME]],
    answer: ['Vaccination', 'no date', 'Immunization'],
  },
  {
    question: 'Who is my doctor?',
    record: 'archives/05-isabella-jones-many-sources',
    calls: [['get_other_records', { kind: 'care_team', ...LIFETIME }]],
    answer: ['Primary Care Provider', 'Dr. Henry Seven', 'CareTeam'],
  },
  {
    question: 'What did the emergency room diagnose?',
    record: 'archives/04-bulk-export-one-patient',
    calls: [['get_visits', LIFETIME]],
    answer: ['1976-01-19', 'emergency', 'Sepsis', 'Encounter/f6003197'],
  },
  {
    question: 'What happens when I take aspirin?',
    record: 'archives/05-isabella-jones-many-sources',
    calls: [['get_allergies', {}]],
    answer: ['Aspirin', '2008-05-01', 'Hives (moderate)', 'AllergyIntolerance'],
  },
  {
    question: 'Is my A1c rising?',
    record: 'Darrel772 Davis923',
    calls: [['get_labs', { tests: ['a1c'], ...LIFETIME }]],
    answer: ['Hemoglobin A1c', '2021-07-01', '3.38', 'Observation/1386e32b'],
  },
  {
    question: 'Does she smoke?',
    record: 'Cathryn Windler',
    calls: [['get_health_summary', {}]],
    answer: ['Tobacco smoking status', 'Never smoker', '2006-01-11', 'Observation/7a85a5c5'],
  },
  {
    question: 'What is implanted?',
    record: 'Dustin31 Ritchie587',
    calls: [['get_other_records', { kind: 'device', ...LIFETIME }]],
    answer: ['Implantable defibrillator', 'lot 1134', 'Device/8e1d371f'],
  },
  {
    question: 'Which illnesses run in the family?',
    record: 'archives/05-isabella-jones-many-sources',
    calls: [['get_other_records', { kind: 'family_history', ...LIFETIME }]],
    answer: ['Father', 'Myocardial infarction', '57', 'FamilyMemberHistory'],
  },
  {
    question: 'Is the patient alive?',
    record: 'Cathryn Windler',
    calls: [['get_health_summary', {}]],
    answer: ['Cathryn Windler', 'died on 2006-07-21'],
  },
  {
    question: 'What goals were agreed?',
    record: 'archives/06-discharge-summary-ccda-fhir-txt',
    calls: [['get_other_records', { kind: 'goal', ...LIFETIME }]],
    answer: ['Weight loss', '2013-10-15', '10 %'],
  },
  {
    question: 'How is the patient insured?',
    record: 'uscore/us-core-examples',
    calls: [['get_other_records', { kind: 'coverage', ...LIFETIME }]],
    answer: ['Acme Health Plan', '888009335', 'Coverage/coverage-example'],
  },
  {
    question: 'When was the last colonoscopy?',
    record: 'Darrel772 Davis923',
    calls: [['get_procedures', LIFETIME]],
    answer: ['Colonoscopy', '2017-03-21', 'Procedure/bb73ee4a'],
  },
  {
    question: 'Do my clinics contradict each other?',
    record: 'archives/05-isabella-jones-many-sources',
    calls: [['get_health_summary', {}]],
    answer: ['Weight', '170', '160', 'Sources disagree'],
  },
  {
    question: 'What was written about the emergency stay for sepsis?',
    record: 'archives/04-bulk-export-one-patient',
    calls: [
      ['get_visits', LIFETIME],
      ['search_clinical_notes', { encounterId: 'Encounter/f6003197' }],
    ],
    answer: ['sepsis'],
  },
  {
    question: 'Where does the patient live?',
    record: 'Dustin31 Ritchie587',
    calls: [['get_details', { references: ['Patient'] }]],
    answer: ['599 Schowalter Promenade', 'West Springfield'],
  },
];
