import type { CodeableConcept } from '../fhir-values.ts';

/** What a section can state the absence of. */
export type Subject =
  | 'problem'
  | 'allergy'
  | 'drug-allergy'
  | 'food-allergy'
  | 'environmental-allergy'
  | 'medication';

const SNOMED = 'http://snomed.info/sct';
/** HL7 IPS: the codes for "none known" and "no information". */
const IPS = 'http://hl7.org/fhir/uv/ips/CodeSystem/absent-unknown-uv-ips';

const NONE_KNOWN: Readonly<Record<Subject, [string, string, string]>> = {
  problem: ['160245001', 'no-known-problems', 'No known problems'],
  allergy: ['716186003', 'no-known-allergies', 'No known allergies'],
  'drug-allergy': ['409137002', 'no-known-medication-allergies', 'No known drug allergies'],
  'food-allergy': ['429625007', 'no-known-food-allergies', 'No known food allergies'],
  'environmental-allergy': [
    '428607008',
    'no-known-environmental-allergies',
    'No known environmental allergies',
  ],
  medication: ['787481004', 'no-known-medications', 'No known medications'],
};

const NO_INFORMATION: Readonly<Record<Subject, [string, string]>> = {
  problem: ['no-problem-info', 'No information about problems'],
  allergy: ['no-allergy-info', 'No information about allergies'],
  'drug-allergy': ['no-allergy-info', 'No information about allergies'],
  'food-allergy': ['no-allergy-info', 'No information about allergies'],
  'environmental-allergy': ['no-allergy-info', 'No information about allergies'],
  medication: ['no-medication-info', 'No information about medications'],
};

/** Builds "No known allergies": it is known that there are none. */
export function buildNoneKnown(subject: Subject): CodeableConcept {
  const [snomed, ips, display] = NONE_KNOWN[subject];
  return {
    coding: [
      { system: SNOMED, code: snomed, display },
      { system: IPS, code: ips, display },
    ],
    text: display,
  };
}

/** Builds "No information about allergies": it is not known whether there are any. */
export function buildNoInformation(subject: Subject): CodeableConcept {
  const [code, display] = NO_INFORMATION[subject];
  return { coding: [{ system: IPS, code, display }], text: display };
}

/** Placeholders of senders in templates that require an entry. */
const PLACEHOLDER =
  /\b(?:excluded|not available|unavailable|not (?:on file|recorded|documented|applicable)|no [a-z -]{0,40}(?:data|information)|no information|unknown|not asked)\b/i;

/**
 * Builds the statement of a negated generic entry ("no problem", "no drug") by its narrative: one sender negates the
 * generic drug to say "Medication excluded/not available", which is not the same as taking none.
 */
export function buildAbsentStatement(subject: Subject, text: string | undefined): CodeableConcept {
  if (isPlaceholder(text)) return buildNoInformation(subject);
  const kinds = subject === 'allergy' ? listAllergyKinds(text ?? '') : [];
  const [kind = subject, ...others] = kinds;
  return others.length > 0 ? { text: text ?? '' } : buildNoneKnown(kind);
}

const ALLERGY_KINDS = [
  [
    'drug-allergy',
    /\b(?:drugs?|med(?:ication|icine|icament)?s?|nkda|nkma|n?amc|ram|f[aá]rmacos?|medica(?:mento|ci[oó]n)\w*)\b/iu,
  ],
  ['food-allergy', /\b(?:foods?|nkfa|aliment\w+)\b/i],
  ['environmental-allergy', /\b(?:environment(?:al)?|ambiental(?:es)?)\b/i],
] as const;

/** Lists what a denial of "allergies" is limited to by its words: "No known food allergies" says nothing of drugs. */
const listAllergyKinds = (text: string): Subject[] =>
  ALLERGY_KINDS.flatMap(([kind, words]) => (words.test(text) ? [kind] : []));

/** Says whether a text is a placeholder: "No problem data is applicable". */
export const isPlaceholder = (text: string | undefined): boolean =>
  text !== undefined && text.length < 120 && PLACEHOLDER.test(text);
