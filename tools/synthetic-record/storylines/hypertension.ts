import { icd10, rxnorm, snomed } from '../codes.ts';
import { tablets } from '../dosages.ts';
import type { Storyline } from '../storyline.ts';

export const hypertension: Storyline = {
  name: 'hypertension',
  conditions: [
    {
      key: 'hypertension',
      codes: [
        snomed('59621000', 'Essential hypertension (disorder)'),
        icd10('I10', 'Essential (primary) hypertension'),
      ],
      text: 'Essential hypertension',
      fromMonth: 0,
    },
  ],
  medications: [
    {
      key: 'lisinopril',
      code: rxnorm('314076', 'lisinopril 10 MG Oral Tablet'),
      text: 'lisinopril 10 mg',
      fromMonth: 0,
      untilMonth: 14,
      stopReason: 'Persistent dry cough',
      dosage: tablets(1, 1, { text: 'Take 1 tablet by mouth daily' }),
    },
    {
      key: 'losartan',
      code: rxnorm('979492', 'losartan potassium 50 MG Oral Tablet'),
      text: 'losartan 50 mg',
      fromMonth: 14,
      replaces: 'lisinopril',
      dosage: tablets(1, 1),
    },
    {
      key: 'amlodipine',
      code: rxnorm('197361', 'amlodipine 5 MG Oral Tablet'),
      text: 'amlodipine 5 mg',
      fromMonth: 26,
      dosage: tablets(1, 1, { text: 'Take 1 tablet by mouth every evening' }),
    },
  ],
  courses: {
    systolic: [
      [-12, 10],
      [0, 36],
      [4, 19],
      [14, 17],
      [25, 24],
      [30, 9],
      [96, 12],
    ],
    diastolic: [
      [-12, 6],
      [0, 20],
      [4, 10],
      [25, 13],
      [30, 5],
      [96, 6],
    ],
    potassium: [
      [0, 0],
      [4, 0.2],
    ],
    creatinine: [
      [0, 0],
      [4, 0.05],
      [120, 0.18],
    ],
  },
  monitoring: [{ panel: 'metabolic', everyMonths: 6 }],
  procedures: [
    {
      code: snomed('29303009', 'Electrocardiographic procedure'),
      text: 'Electrocardiogram',
      everyMonths: 24,
    },
  ],
  carePlan: {
    code: snomed('443402002', 'Lifestyle education regarding hypertension'),
    activities: ['Home blood pressure diary', 'Sodium below 2 g a day', 'Regular aerobic exercise'],
  },
  goal: { text: 'Blood pressure below 130/80 mmHg', measure: 'systolic', atMost: 130 },
  words: {
    presenting: 'Morning headaches; home readings were above 150/90 on several days.',
    complaints: [
      'No headache, chest pain or visual change; the home blood pressure diary was brought along.',
      'Takes the blood pressure medicine daily and has reduced salt at home.',
    ],
    exam: 'Regular rhythm without murmur, no peripheral edema.',
    plans: [
      'Keep the home blood pressure diary, two readings on three days a week.',
      'Limit sodium and alcohol.',
    ],
  },
};
