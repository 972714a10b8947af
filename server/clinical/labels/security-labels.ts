import { RestrictedScope } from '../../../contract/data-categories.ts';

/**
 * HL7 v3 ActCode: sensitivity (_ActInformationSensitivityPolicy, _InformationSensitivityPolicy) and law (_ActUSPrivacyLaw). Not
 * those that only name what somebody agreed to or got notice of: HIPAANOPP, HIPAAConsent, CommonRule.
 */
const SECURITY_LABELS: readonly [string, readonly RestrictedScope[]][] = [
  ['HIV STD', ['HIV_OR_STI']],
  ['ETH ETHUD OPIOIDUD SUD', ['SUBSTANCE_USE_OR_DRUG_ABUSE']],
  ['42CFRPART2 42CFRPART2CD', ['SUD_PART_2']],
  // 38 USC 7332, whose former name is that of its part.
  ['TITLE38SECTION7332 TITLE38PART1', ['SUBSTANCE_USE_OR_DRUG_ABUSE', 'HIV_OR_STI', 'SICKLE_CELL']],
  // Cognitive and developmental disabilities are parts of behavioral health there.
  ['PSY MH EMOTDIS COGN DVD', ['MENTAL_HEALTH']],
  ['BH', ['MENTAL_HEALTH', 'SUBSTANCE_USE_OR_DRUG_ABUSE']],
  ['PSYTHPN HIPAAPSYNOTES', ['PSYCHOTHERAPY_NOTES', 'MENTAL_HEALTH']],
  ['GDIS', ['GENETIC_TESTING']],
  ['SEX PREGNANT', ['REPRODUCTIVE_HEALTH_DATA']],
  ['GENDER', ['MENTAL_HEALTH', 'REPRODUCTIVE_HEALTH_DATA']],
  ['SCA SICKLE', ['SICKLE_CELL']],
  // What was done to somebody, or is not spoken of: no class has it, so whoever may see it may see every class.
  ['SDV MST VIO TBOO', RestrictedScope.options],
];

/**
 * Protected more than usual, without saying why, so that it may be any class: HL7 v3 Confidentiality, and what ActCode protects
 * because of who asked for that, whom it is about, who did it, who pays, or which part of a record it is.
 */
const UNSPECIFIC = new Set(
  [
    'R V SPI PRS PHY PDS HIPAASELFPAY SSP DIA DRGIS',
    'ADOL CEL EMP EMPL B LOCIS DEMO DOB LIVARG MARST RACE REL',
    'COMPT ACOCOMPT CTCOMPT FMCOMPT HRCOMPT LRCOMPT PACOMPT RESCOMPT RMGTCOMPT',
  ].flatMap((line) => line.split(' ')),
);

const CLASSES_BY_LABEL: ReadonlyMap<string, readonly RestrictedScope[]> = new Map([
  ...SECURITY_LABELS.flatMap(([codes, classes]) => codes.split(' ').map((code) => [code, classes] as const)),
  ...RestrictedScope.options.map((name) => [name, [name]] as const),
]);

/** Returns the classes of what labels say that they are about; none of those on the degree of confidentiality alone. */
export const parseSpecificLabels = (codes: readonly string[]): readonly RestrictedScope[] =>
  codes.flatMap((code) => CLASSES_BY_LABEL.get(code.trim().toUpperCase()) ?? []);

/** Returns the classes of security labels; a label on the degree of confidentiality counts only where none says what it is about. */
export function parseSecurityLabels(codes: readonly string[]): readonly RestrictedScope[] {
  const specific = parseSpecificLabels(codes);
  const isRestricted = codes.some((code) => UNSPECIFIC.has(code.trim().toUpperCase()));
  return specific.length === 0 && isRestricted ? RestrictedScope.options : specific;
}
