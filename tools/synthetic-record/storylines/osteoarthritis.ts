import { icd10, rxnorm, snomed } from '../codes.ts';
import { tablets } from '../dosages.ts';
import type { Storyline } from '../storyline.ts';

export const osteoarthritis: Storyline = {
  name: 'osteoarthritis',
  conditions: [
    {
      key: 'osteoarthritis',
      codes: [
        snomed('239873007', 'Osteoarthritis of knee'),
        icd10('M17.9', 'Osteoarthritis of knee, unspecified'),
      ],
      text: 'Osteoarthritis of the knee',
      fromMonth: 0,
    },
  ],
  medications: [
    {
      key: 'acetaminophen',
      code: rxnorm('198440', 'acetaminophen 500 MG Oral Tablet'),
      text: 'acetaminophen 500 mg',
      fromMonth: 0,
      dosage: tablets(2, 3, {
        asNeeded: true,
        text: 'Take 2 tablets by mouth up to three times daily as needed for knee pain',
      }),
    },
    {
      key: 'meloxicam',
      code: rxnorm('311486', 'meloxicam 7.5 MG Oral Tablet'),
      text: 'meloxicam 7.5 mg',
      fromMonth: 8,
      untilMonth: 26,
      stopReason: 'Stomach discomfort',
      dosage: tablets(1, 1),
    },
  ],
  courses: {
    pain: [
      [-12, 1],
      [0, 6],
      [6, 4.5],
      [10, 2.6],
      [26, 3],
      [48, 3.5],
    ],
    cReactiveProtein: [
      [0, 2.6],
      [10, 1],
    ],
  },
  monitoring: [
    { panel: 'pain', everyMonths: 4 },
    { panel: 'cReactiveProtein', everyMonths: 12 },
  ],
  procedures: [
    { code: snomed('91251008', 'Physical therapy procedure'), text: 'Physical therapy', everyMonths: 18 },
  ],
  carePlan: {
    code: snomed('91251008', 'Physical therapy procedure'),
    activities: ['Quadriceps exercises three times a week', 'Swimming or cycling instead of running'],
  },
  goal: { text: 'Knee pain at most 3 of 10 on most days', measure: 'pain', atMost: 3 },
  words: {
    presenting: 'Knee pain on stairs and after long walks, worse over the last half year.',
    complaints: [
      'Knee pain after climbing stairs, with morning stiffness of about ten minutes.',
      'Walks half an hour daily; the knee swells after long days.',
    ],
    exam: 'Knee with crepitus and full extension, no effusion or redness.',
    plans: [
      'Continue quadriceps exercises and low-impact activity.',
      'Heat before and ice after longer walks.',
    ],
  },
};
