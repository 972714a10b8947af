import type { AnalyteName } from './analytes.ts';
import { icd10, rxnorm, snomed, type NamedCoding } from './codes.ts';
import { capsules, tablets, type DosagePlan } from './dosages.ts';

/** A short illness: one visit, gone after some days. No penicillins: the same list serves the allergic. */
export interface AcuteEpisode {
  name: string;
  codes: readonly NamedCoding[];
  text: string;
  days: readonly [least: number, most: number];
  setting: 'clinic' | 'emergency';
  medication?: { code: NamedCoding; text: string; dosage: DosagePlan; days: number };
  procedure?: { code: NamedCoding; text: string };
  /** A rapid test, answered in words rather than in numbers. */
  strepTest?: boolean;
  shifts: Partial<Record<AnalyteName, number>>;
  words: { complaint: string; exam: string; plan: string };
}

const fever = { temperature: 1.6, heartRate: 14, respiratoryRate: 2 };

export const acuteEpisodes: readonly AcuteEpisode[] = [
  {
    name: 'sinusitis',
    codes: [
      snomed('75498004', 'Acute bacterial sinusitis (disorder)'),
      icd10('J01.90', 'Acute sinusitis, unspecified'),
    ],
    text: 'Acute bacterial sinusitis',
    days: [9, 16],
    setting: 'clinic',
    medication: {
      code: rxnorm('1649988', 'doxycycline hyclate 100 MG Oral Capsule'),
      text: 'doxycycline 100 mg',
      dosage: capsules(1, 2, { text: 'Take 1 capsule by mouth twice daily for 7 days' }),
      days: 7,
    },
    shifts: { temperature: 0.9, heartRate: 8 },
    words: {
      complaint:
        'Ten days of facial pressure, purulent nasal discharge and headache that worsens on bending forward.',
      exam: 'Tender over the maxillary sinuses, nasal mucosa swollen.',
      plan: 'Saline rinses, return if eye swelling or stiff neck appear.',
    },
  },
  {
    name: 'bronchitis',
    codes: [
      snomed('10509002', 'Acute bronchitis (disorder)'),
      icd10('J20.9', 'Acute bronchitis, unspecified'),
    ],
    text: 'Acute bronchitis',
    days: [12, 24],
    setting: 'clinic',
    medication: {
      code: rxnorm('197397', 'benzonatate 100 MG Oral Capsule'),
      text: 'benzonatate 100 mg',
      dosage: capsules(1, 3, {
        asNeeded: true,
        text: 'Take 1 capsule by mouth up to three times daily as needed for cough',
      }),
      days: 10,
    },
    shifts: { temperature: 0.7, heartRate: 9, respiratoryRate: 3, oxygenSaturation: -2 },
    words: {
      complaint: 'Productive cough for six days, worse at night, with slight chest soreness.',
      exam: 'Coarse breath sounds that clear with coughing, no consolidation.',
      plan: 'Fluids and rest, no antibiotic needed, return if short of breath.',
    },
  },
  {
    name: 'strep-throat',
    codes: [
      snomed('43878008', 'Streptococcal sore throat (disorder)'),
      icd10('J02.0', 'Streptococcal pharyngitis'),
    ],
    text: 'Streptococcal sore throat',
    days: [6, 11],
    setting: 'clinic',
    medication: {
      code: rxnorm('308460', 'azithromycin 250 MG Oral Tablet'),
      text: 'azithromycin 250 mg',
      dosage: tablets(1, 1, { text: 'Take 2 tablets on day one, then 1 tablet daily for 4 days' }),
      days: 5,
    },
    strepTest: true,
    shifts: fever,
    words: {
      complaint: 'Sore throat and fever for two days, painful swallowing, no cough.',
      exam: 'Tonsils red with exudate, tender anterior cervical nodes.',
      plan: 'Stay home until one day after the first dose, warm fluids.',
    },
  },
  {
    name: 'viral-pharyngitis',
    codes: [
      snomed('195662009', 'Acute viral pharyngitis (disorder)'),
      icd10('J02.9', 'Acute pharyngitis, unspecified'),
    ],
    text: 'Acute viral pharyngitis',
    days: [5, 9],
    setting: 'clinic',
    strepTest: true,
    shifts: { temperature: 0.6, heartRate: 5 },
    words: {
      complaint: 'Scratchy throat, runny nose and hoarseness for three days.',
      exam: 'Pharynx mildly red without exudate, no enlarged nodes.',
      plan: 'Supportive care, salt-water gargles, return if fever lasts more than three days.',
    },
  },
  {
    name: 'ankle-sprain',
    codes: [
      snomed('44465007', 'Sprain of ankle'),
      icd10('S93.409A', 'Sprain of unspecified ligament of unspecified ankle, initial encounter'),
    ],
    text: 'Sprain of ankle',
    days: [18, 35],
    setting: 'emergency',
    medication: {
      code: rxnorm('197806', 'ibuprofen 600 MG Oral Tablet'),
      text: 'ibuprofen 600 mg',
      dosage: tablets(1, 3, {
        asNeeded: true,
        text: 'Take 1 tablet by mouth up to three times daily with food as needed for pain',
      }),
      days: 7,
    },
    procedure: { code: snomed('19490002', 'Ankle X-ray'), text: 'Ankle X-ray' },
    shifts: { heartRate: 12, systolic: 8, diastolic: 4 },
    words: {
      complaint:
        'Twisted the ankle on a curb this morning, pain and swelling on the outer side, can bear weight with difficulty.',
      exam: 'Lateral swelling and bruising, tender over the anterior talofibular ligament; X-ray without fracture.',
      plan: 'Rest, ice, compression and elevation; ankle brace for two weeks.',
    },
  },
];
