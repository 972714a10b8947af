import { icd10, rxnorm, snomed } from '../codes.ts';
import { tablets } from '../dosages.ts';
import type { Storyline } from '../storyline.ts';

const levothyroxine = rxnorm('966222', 'levothyroxine sodium 0.075 MG Oral Tablet');

export const hypothyroidism: Storyline = {
  name: 'hypothyroidism',
  conditions: [
    {
      key: 'hypothyroidism',
      codes: [snomed('40930008', 'Hypothyroidism (disorder)'), icd10('E03.9', 'Hypothyroidism, unspecified')],
      text: 'Hypothyroidism',
      fromMonth: 0,
    },
  ],
  medications: [
    {
      key: 'levothyroxine-75',
      code: levothyroxine,
      text: 'levothyroxine 75 mcg',
      fromMonth: 0,
      untilMonth: 5,
      stopReason: 'Dose raised',
      dosage: tablets(1, 1, { text: 'Take 1 tablet by mouth every morning on an empty stomach' }),
    },
    {
      key: 'levothyroxine-112',
      code: levothyroxine,
      text: 'levothyroxine 112.5 mcg (one and a half tablets)',
      fromMonth: 5,
      replaces: 'levothyroxine-75',
      dosage: tablets(1.5, 1, { text: 'Take 1.5 tablets by mouth every morning on an empty stomach' }),
    },
  ],
  courses: {
    tsh: [
      [-12, 3],
      [0, 9.6],
      [4, 3.9],
      [8, 0.2],
      [60, 0.6],
    ],
    freeThyroxine: [
      [-12, -0.2],
      [0, -0.6],
      [4, -0.3],
      [8, 0],
    ],
    weight: [
      [-12, 1],
      [0, 4],
      [10, 1],
    ],
    heartRate: [
      [-6, -2],
      [0, -8],
      [8, 0],
    ],
  },
  monitoring: [{ panel: 'thyroid', everyMonths: 4 }],
  procedures: [],
  carePlan: {
    code: snomed('410177006', 'Special diet education'),
    activities: ['Tablet one hour before breakfast', 'TSH check after every change of dose'],
  },
  goal: { text: 'TSH within 0.4 to 4.5 mIU/L', measure: 'tsh', atMost: 4.5 },
  words: {
    presenting: 'Tiredness, dry skin and feeling cold for several months.',
    complaints: [
      'Less tired than before and no longer cold in the evening.',
      'Takes levothyroxine an hour before breakfast; no palpitations.',
    ],
    exam: 'Thyroid not enlarged, skin normal, reflexes brisk.',
    plans: ['Continue levothyroxine on an empty stomach.', 'Repeat TSH at the next visit.'],
  },
};
