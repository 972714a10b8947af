import { icd10, rxnorm, snomed } from '../codes.ts';
import { tablets } from '../dosages.ts';
import type { Storyline } from '../storyline.ts';

export const hyperlipidemia: Storyline = {
  name: 'hyperlipidemia',
  conditions: [
    {
      key: 'hyperlipidemia',
      codes: [snomed('55822004', 'Hyperlipidemia (disorder)'), icd10('E78.5', 'Hyperlipidemia, unspecified')],
      text: 'Hyperlipidemia',
      fromMonth: 0,
    },
  ],
  medications: [
    {
      key: 'simvastatin',
      code: rxnorm('312961', 'simvastatin 20 MG Oral Tablet'),
      text: 'simvastatin 20 mg',
      fromMonth: 0,
      untilMonth: 12,
      stopReason: 'LDL above goal',
      dosage: tablets(1, 1, { text: 'Take 1 tablet by mouth at bedtime' }),
    },
    {
      key: 'atorvastatin',
      code: rxnorm('617311', 'atorvastatin 40 MG Oral Tablet'),
      text: 'atorvastatin 40 mg',
      fromMonth: 12,
      replaces: 'simvastatin',
      dosage: tablets(1, 1),
    },
  ],
  courses: {
    ldl: [
      [-24, 40],
      [0, 78],
      [4, 38],
      [12, 36],
      [16, -8],
      [120, -4],
    ],
    triglycerides: [
      [-24, 40],
      [0, 70],
      [4, 40],
      [16, 20],
    ],
    hdl: [
      [0, -7],
      [16, -3],
    ],
  },
  monitoring: [{ panel: 'lipids', everyMonths: 6 }],
  procedures: [],
  carePlan: {
    code: snomed('229065009', 'Exercise therapy'),
    activities: ['Diet low in saturated fat', 'Daily walk of 30 minutes'],
  },
  goal: { text: 'LDL cholesterol below 100 mg/dL', measure: 'ldl', atMost: 100 },
  words: {
    presenting: 'Without symptoms; asks about cholesterol because of heart disease in the family.',
    complaints: [
      'No muscle pain or weakness on the statin.',
      'Eats less fried food and more vegetables than before.',
    ],
    exam: 'No xanthomas, muscle strength full.',
    plans: [
      'Continue the statin and the diet low in saturated fat.',
      'Repeat the lipid panel in six months.',
    ],
  },
};
