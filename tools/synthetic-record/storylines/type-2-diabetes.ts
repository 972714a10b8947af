import { icd10, rxnorm, snomed } from '../codes.ts';
import { tablets } from '../dosages.ts';
import type { Storyline } from '../storyline.ts';

export const type2Diabetes: Storyline = {
  name: 'type-2-diabetes',
  conditions: [
    {
      key: 'prediabetes',
      codes: [snomed('15777000', 'Prediabetes'), icd10('R73.03', 'Prediabetes')],
      text: 'Prediabetes',
      fromMonth: -14,
      untilMonth: 0,
    },
    {
      key: 'diabetes',
      codes: [
        snomed('44054006', 'Diabetes mellitus type 2 (disorder)'),
        icd10('E11.9', 'Type 2 diabetes mellitus without complications'),
      ],
      text: 'Type 2 diabetes mellitus',
      fromMonth: 0,
    },
  ],
  medications: [
    {
      key: 'metformin-500',
      code: rxnorm('861007', 'metformin hydrochloride 500 MG Oral Tablet'),
      text: 'metformin 500 mg',
      fromMonth: 0,
      untilMonth: 6,
      stopReason: 'Dose raised',
      dosage: tablets(1, 2, { text: 'Take 1 tablet by mouth twice daily with meals' }),
    },
    {
      key: 'metformin-1000',
      code: rxnorm('861004', 'metformin hydrochloride 1000 MG Oral Tablet'),
      text: 'metformin 1000 mg',
      fromMonth: 6,
      replaces: 'metformin-500',
      dosage: tablets(1, 2),
    },
    {
      key: 'empagliflozin',
      code: rxnorm('1545658', 'empagliflozin 10 MG Oral Tablet'),
      text: 'empagliflozin 10 mg',
      fromMonth: 30,
      dosage: tablets(1, 1, { text: 'Take 1 tablet by mouth every morning' }),
    },
  ],
  courses: {
    hba1c: [
      [-14, 0.6],
      [-4, 1],
      [0, 3.4],
      [4, 2.3],
      [9, 1.4],
      [29, 2.2],
      [36, 1.2],
      [120, 1.5],
    ],
    glucose: [
      [-14, 18],
      [-4, 28],
      [0, 96],
      [4, 60],
      [9, 38],
      [29, 62],
      [36, 30],
      [120, 38],
    ],
    weight: [
      [-24, 8],
      [0, 12],
      [12, 9],
      [30, 10],
      [42, 6],
    ],
    urineAlbumin: [
      [0, 9],
      [30, 16],
      [40, 10],
    ],
    triglycerides: [
      [-14, 25],
      [0, 55],
      [12, 30],
    ],
  },
  monitoring: [
    { panel: 'hba1c', everyMonths: 3 },
    { panel: 'metabolic', everyMonths: 6 },
    { panel: 'urineAlbumin', everyMonths: 12 },
    { panel: 'lipids', everyMonths: 12 },
  ],
  procedures: [
    {
      code: snomed('134395001', 'Diabetic retinopathy screening'),
      text: 'Dilated retinal exam',
      everyMonths: 12,
    },
    { code: snomed('401191002', 'Diabetic foot examination'), text: 'Diabetic foot exam', everyMonths: 12 },
  ],
  carePlan: {
    code: snomed('698360004', 'Diabetes self management plan'),
    activities: [
      'Home glucose checks each morning',
      'Carbohydrate-aware meal plan',
      'Walking 30 minutes on five days a week',
    ],
  },
  goal: { text: 'Hemoglobin A1c below 7 %', measure: 'hba1c', atMost: 7 },
  words: {
    presenting: 'Three months of increased thirst, nightly urination and fatigue.',
    complaints: [
      'Home glucose readings are reviewed; no hypoglycemia and no increased thirst since the last visit.',
      'Reports keeping to the meal plan on most days, with some lapses on weekends.',
    ],
    exam: 'Feet without ulcers, pulses palpable, sensation to monofilament intact.',
    plans: [
      'Continue carbohydrate-aware meals and home glucose checks.',
      'Repeat hemoglobin A1c in three months.',
    ],
  },
};
