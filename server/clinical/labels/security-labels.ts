import { RestrictedScope } from '../../../contract/data-categories.ts';

/** HL7 v3 ActCode: sensitivity (_ActInformationSensitivityPolicy) and law (42CFRPart2). */
const SECURITY_LABELS: readonly [string, readonly RestrictedScope[]][] = [
  ['HIV STD', ['HIV_OR_STI']],
  ['ETH ETHUD OPIOIDUD SUD', ['SUBSTANCE_USE_OR_DRUG_ABUSE']],
  ['42CFRPART2 42CFRPART2CD', ['SUD_PART_2']],
  ['PSY MH EMOTDIS', ['MENTAL_HEALTH']],
  ['BH', ['MENTAL_HEALTH', 'SUBSTANCE_USE_OR_DRUG_ABUSE']],
  ['PSYTHPN', ['PSYCHOTHERAPY_NOTES', 'MENTAL_HEALTH']],
  ['GDIS', ['GENETIC_TESTING']],
  ['SEX PREGNANT', ['REPRODUCTIVE_HEALTH_DATA']],
  ['SCA SICKLE', ['SICKLE_CELL']],
  // HL7 v3 Confidentiality: protected more than usual, without saying why. It may be any of them.
  ['R V', RestrictedScope.options],
];

const CLASSES_BY_LABEL: ReadonlyMap<string, readonly RestrictedScope[]> = new Map([
  ...SECURITY_LABELS.flatMap(([codes, classes]) => codes.split(' ').map((code) => [code, classes] as const)),
  ...RestrictedScope.options.map((name) => [name, [name]] as const),
]);

/** Returns the classes of security labels; a label on the degree of confidentiality counts only where none says what it is about. */
export function parseSecurityLabels(codes: readonly string[]): readonly RestrictedScope[] {
  const written = codes.map((code) => code.toUpperCase());
  const reasons = written.filter((code) => code !== 'R' && code !== 'V');
  const specific = reasons.flatMap((code) => CLASSES_BY_LABEL.get(code) ?? []);
  return specific.length > 0 ? specific : written.flatMap((code) => CLASSES_BY_LABEL.get(code) ?? []);
}
