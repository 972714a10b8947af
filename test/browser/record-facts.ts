import type { RecordFact } from '../../contract/account/record-facts.ts';

const fact = (index: number, more: Partial<RecordFact>): RecordFact => ({
  id: `${index}.0`,
  reference: `Observation/${index}`,
  kind: 'lab',
  category: 'LABS',
  title: 'Hemoglobin A1c',
  day: '2026-03-05',
  time: null,
  end: null,
  status: 'final',
  isCurrent: false,
  isNotDone: false,
  measurements: [],
  details: [],
  text: null,
  isCut: false,
  source: { organization: 'Riverside Hospital', path: 'records/visit summary 2026.xml', documentId: null },
  elsewhere: [],
  times: 1,
  firstDay: '2026-03-05',
  lastDay: '2026-03-05',
  ...more,
});

const value = (name: string | null, text: string, more: object = {}) => ({
  name,
  text,
  range: null,
  flag: null,
  ...more,
});

const MANY = { times: 4, firstDay: '2019', lastDay: '2024-11' };

/** Facts that look different from each other. */
export const FACTS: readonly RecordFact[] = [
  fact(1, {
    measurements: [value(null, '8.1 %', { range: '4.0–5.6 %', flag: 'high' })],
    details: [
      { name: 'specimen', text: 'Blood' },
      { name: 'panel', text: 'Diabetes check' },
      { name: 'order', text: 'Dr. Ana Ruiz' },
    ],
    source: {
      organization: 'Riverside Hospital',
      path: 'records/visit summary 2026.xml',
      documentId: '3f0c8f52-6c7e-4c0e-9a55-0f5f6f9f1a11' as RecordFact['source']['documentId'],
    },
    elsewhere: [
      {
        organization: 'Hill Clinic',
        path: 'letter.pdf',
        documentId: null,
        reference: 'Observation/9',
        isSame: false,
        title: 'HbA1c',
        day: '2026-03-05',
        status: 'final',
        measurements: [value(null, '7.9 %')],
        details: [{ name: 'specimen', text: 'Capillary blood' }],
      },
    ],
  }),
  fact(2, {
    title: 'Lipid panel, fasting (Cholesterol/Triglycerides/High-density lipoprotein)',
    measurements: [
      value('Cholesterol', '182 mg/dL', { range: '< 200', flag: 'normal' }),
      value('Triglycerides', '210 mg/dL', { range: '< 150', flag: 'high' }),
    ],
  }),
  fact(3, {
    title: 'Blood count',
    day: '2024-11',
    ...MANY,
    source: { organization: null, path: 'a/b.json', documentId: null },
  }),
  fact(4, {
    title: 'Urine test',
    day: null,
    firstDay: null,
    lastDay: null,
    measurements: [value(null, 'Negative')],
  }),
  fact(5, {
    title: 'Wound culture',
    measurements: [value(null, '250 U/L', { range: '100 to 400 U/L (age 0 to 12 years)' })],
    laterWithoutValue: { day: '2026-09-02', reason: 'Specimen hemolyzed' },
    details: [
      { name: 'bodySite', text: 'Left heel' },
      { name: 'position', text: 'Supine' },
    ],
  }),
  fact(6, {
    kind: 'medication',
    title: 'Metoprolol succinate 50 mg',
    status: 'active',
    isCurrent: true,
    endedBy: { status: 'stopped', day: '2026-06-01', reason: 'Severe bradycardia' },
    details: [{ name: 'validUntil', text: '2025-01-01' }],
  }),
  fact(7, {
    kind: 'medication',
    title: 'Metoprolol succinate 50 mg',
    status: 'stopped',
    details: [{ name: 'statusReason', text: 'Severe bradycardia' }],
  }),
];

/** A record that holds something of five categories. */
export const COUNTS = {
  total: 49,
  isArriving: false,
  isAsked: false,
  categories: [
    { category: 'DEMOGRAPHICS', facts: 5 },
    { category: 'DIAGNOSES', facts: 12 },
    { category: 'MEDICATIONS', facts: 8 },
    { category: 'LABS', facts: 1204 },
    { category: 'CLINICAL_NOTES', facts: 20 },
  ],
};
