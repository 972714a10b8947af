import { icd10, rxnorm, snomed } from '../codes.ts';
import { puffs } from '../dosages.ts';
import type { Storyline } from '../storyline.ts';

export const asthma: Storyline = {
  name: 'asthma',
  conditions: [
    {
      key: 'asthma',
      codes: [
        snomed('195967001', 'Asthma (disorder)'),
        icd10('J45.909', 'Unspecified asthma, uncomplicated'),
      ],
      text: 'Asthma',
      fromMonth: 0,
    },
  ],
  medications: [
    {
      key: 'albuterol',
      code: rxnorm('745679', '200 ACTUAT albuterol 0.09 MG/ACTUAT Metered Dose Inhaler'),
      text: 'albuterol inhaler',
      fromMonth: 0,
      dosage: puffs(2, 1, {
        times: { frequency: 1, period: 4, periodUnit: 'h' },
        asNeeded: true,
        text: 'Inhale 2 puffs every 4 hours as needed for wheezing',
      }),
    },
    {
      key: 'fluticasone',
      code: rxnorm('895994', '120 ACTUAT fluticasone propionate 0.044 MG/ACTUAT Metered Dose Inhaler'),
      text: 'fluticasone inhaler',
      fromMonth: 4,
      untilMonth: 20,
      stopReason: 'Night symptoms persist',
      dosage: puffs(2, 2),
    },
    {
      key: 'fluticasone-salmeterol',
      code: rxnorm(
        '896209',
        '60 ACTUAT fluticasone propionate 0.25 MG/ACTUAT / salmeterol 0.05 MG/ACTUAT Dry Powder Inhaler',
      ),
      text: 'fluticasone/salmeterol inhaler',
      fromMonth: 20,
      replaces: 'fluticasone',
      dosage: puffs(1, 2, { text: 'Inhale 1 puff twice daily and rinse the mouth afterwards' }),
    },
  ],
  courses: {
    eosinophils: [
      [-12, 0.3],
      [0, 0.48],
      [6, 0.3],
      [20, 0.34],
      [26, 0.18],
    ],
    oxygenSaturation: [
      [-6, -1],
      [0, -2],
      [6, -1],
      [26, 0],
    ],
    respiratoryRate: [
      [-6, 1],
      [0, 3],
      [6, 1],
      [26, 0],
    ],
  },
  monitoring: [{ panel: 'eosinophils', everyMonths: 12 }],
  procedures: [{ code: snomed('127783003', 'Spirometry'), text: 'Spirometry', everyMonths: 12 }],
  carePlan: {
    code: snomed('53950000', 'Respiratory therapy'),
    activities: [
      'Written action plan for attacks',
      'Avoidance of known triggers',
      'Inhaler technique checked at each visit',
    ],
  },
  goal: {
    text: 'Eosinophils at most 0.5 × 10³/µL without night symptoms',
    measure: 'eosinophils',
    atMost: 0.5,
  },
  words: {
    presenting: 'Wheezing and chest tightness after exercise and on cold mornings for two months.',
    complaints: [
      'Uses the rescue inhaler about once a week; woke with cough on two nights last month.',
      'Breathing is comfortable at rest, with mild wheezing after running in cold air.',
    ],
    exam: 'Good air entry on both sides, scattered end-expiratory wheezes.',
    plans: ['Inhaler technique was checked.', 'Follow the written action plan and avoid known triggers.'],
  },
};
