import { icd10, rxnorm, snomed } from '../codes.ts';
import { tablets } from '../dosages.ts';
import type { Storyline } from '../storyline.ts';

export const depression: Storyline = {
  name: 'depression',
  conditions: [
    {
      key: 'depression',
      codes: [
        snomed('370143000', 'Major depressive disorder (disorder)'),
        icd10('F32.9', 'Major depressive disorder, single episode, unspecified'),
      ],
      text: 'Major depressive disorder',
      fromMonth: 0,
      untilMonth: 40,
    },
  ],
  medications: [
    {
      key: 'sertraline-25',
      code: rxnorm('312940', 'sertraline 25 MG Oral Tablet'),
      text: 'sertraline 25 mg',
      fromMonth: 0,
      untilMonth: 2,
      stopReason: 'Dose raised',
      dosage: tablets(1, 1, { text: 'Take 1 tablet by mouth every morning' }),
    },
    {
      key: 'sertraline-50',
      code: rxnorm('312941', 'sertraline 50 MG Oral Tablet'),
      text: 'sertraline 50 mg',
      fromMonth: 2,
      untilMonth: 34,
      stopReason: 'Tapered in sustained remission',
      replaces: 'sertraline-25',
      dosage: tablets(1, 1),
    },
  ],
  courses: {
    phq9: [
      [-6, 4],
      [0, 15],
      [3, 9],
      [8, 4],
      [20, 2],
      [40, 0.5],
    ],
    heartRate: [
      [-3, 2],
      [0, 5],
      [8, 1],
    ],
  },
  monitoring: [{ panel: 'phq9', everyMonths: 3 }],
  procedures: [
    { code: snomed('171207006', 'Depression screening'), text: 'Depression screening', everyMonths: 12 },
  ],
  carePlan: {
    code: snomed('75516001', 'Psychotherapy'),
    activities: [
      'Weekly cognitive behavioral therapy',
      'Regular sleep hours',
      'One planned social activity a week',
    ],
  },
  goal: { text: 'PHQ-9 total score below 5', measure: 'phq9', atMost: 4 },
  words: {
    presenting: 'Low mood, poor sleep and loss of interest for about two months; no thoughts of self-harm.',
    complaints: [
      'Sleeps through most nights and meets friends again; no thoughts of self-harm.',
      'Energy and concentration at work are reported as fair.',
    ],
    exam: 'Alert, well groomed, affect congruent, speech normal.',
    plans: ['Continue counseling sessions and regular sleep hours.', 'Crisis line number was given again.'],
  },
};
