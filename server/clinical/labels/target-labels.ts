import type { DataMask } from '../../../contract/brands.ts';
import { ResourceScope } from '../../../contract/data-categories.ts';
import { combineMasks, labelBit, NO_LABELS, toLabelMask } from '../../consent/access/sensitivity-labels.ts';
import { categorizeType } from '../entries/category.ts';
import { CVX, ICD_10, ICD_10_CM, LOINC, parseCodings, RXNORM } from '../entries/codeable-concept.ts';
import { PART_TYPES } from './nested-resource.ts';
import targetsByPath from '../../../documents/fhir/reference-targets.json' with { type: 'json' };

/** Types whose category only the resource itself says, and the categories it may be of. */
const SEVERAL: ReadonlyMap<string, DataMask> = new Map(
  Object.entries({
    Condition: ['DIAGNOSES'],
    DiagnosticReport: ['DIAGNOSTIC_REPORTS', 'LABS', 'IMAGING', 'CLINICAL_NOTES', 'GENOMIC_DATA'],
    Observation: [
      'LABS',
      'CLINICAL_VITALS',
      'SOCIAL_HISTORY',
      'DIAGNOSTIC_REPORTS',
      'IMAGING',
      'GENOMIC_DATA',
    ],
  } satisfies Record<string, ResourceScope[]>).map(([type, names]) => [type, toLabelMask(names)]),
);

const ALL_CATEGORIES = toLabelMask(ResourceScope.options);

/** The type of `Type/id`. */
const getType = (reference: string): string => reference.slice(0, Math.max(0, reference.indexOf('/')));

/** True where the category of `Type/id` is known by the resource alone. */
export const needsLookUp = (reference: string): boolean => SEVERAL.has(getType(reference));

/** What a reference to one of these types names, where the record does not hold the target. */
export type TargetKind = 'part' | 'person' | DataMask;

/**
 * Returns what a reference names by the types that it may point to. Where one of them is who did something or where, it is
 * taken for that: a prescriber is mostly written as a name alone.
 */
export function getTargetKind(types: readonly string[]): TargetKind {
  if (types.length === 0 || types.includes('Resource')) return ALL_CATEGORIES;
  if (types.some((type) => PART_TYPES.has(type))) return 'part';
  if (types.includes('Patient') || types.includes('Person')) return 'person';
  return types
    .map((type) => SEVERAL.get(type) ?? labelBit(categorizeType(type)))
    .reduce(combineMasks, NO_LABELS);
}

const TARGETS: Readonly<Record<string, string>> = targetsByPath;

/**
 * Returns the types that the element at a path may point to; null where FHIR R4 has no reference there. Elements that
 * contain themselves (the items of a form, the sections of a document) are the same at every depth, and the reference that R5 has
 * beside a code (CodeableReference: `addresses.reference`, `reason.reference`) is R4's of that name (`addresses`, `reasonReference`).
 */
export function findTargetTypes(path: string): string[] | null {
  const simple = path.replace(/\.(item|section|provision|group)(?:\.(?:answer\.)?\1)+/g, '.$1');
  const r4 = RENAMED.get(simple) ?? RENAMED.get(simple.replace(OF_R5, ''));
  for (const name of [simple, r4 ?? '', simple.replace(OF_R5, ''), simple.replace(OF_R5, 'Reference')]) {
    const found = Object.hasOwn(TARGETS, name) ? TARGETS[name] : undefined;
    if (found !== undefined) return found.split(' ');
  }
  return path.endsWith('Reference') ? ['Resource'] : null;
}

/** Elements of R5 that R4 calls otherwise: all of them, and the reference of those whose code R4 has by the same name. */
const RENAMED: ReadonlyMap<string, string> = new Map([
  ['CarePlan.activity.performedActivity.reference', 'CarePlan.activity.outcomeReference'],
  ['CarePlan.activity.plannedActivityReference', 'CarePlan.activity.reference'],
  ['Immunization.reaction.manifestation', 'Immunization.reaction.detail'],
  ['Procedure.complication.reference', 'Procedure.complicationDetail'],
]);

const OF_R5 = /(?:\.value)?\.reference$/;

const MEDICATION_SYSTEMS = [RXNORM, 'http://hl7.org/fhir/sid/ndc', 'http://www.whocc.no/atc'];
const CATEGORY_BY_SYSTEM: ReadonlyMap<string | null, ResourceScope> = new Map([
  ...MEDICATION_SYSTEMS.map((system) => [system, 'MEDICATIONS'] as const),
  [CVX, 'IMMUNIZATIONS'],
  [LOINC, 'LABS'],
  [ICD_10, 'DIAGNOSES'],
  [ICD_10_CM, 'DIAGNOSES'],
]);

/** What a bill may name without saying which: a visit, what was found, done or given. */
const ANY_SERVICE = toLabelMask([
  'VISITS',
  'DIAGNOSES',
  'PROCEDURES',
  'MEDICATIONS',
  'LABS',
  'IMMUNIZATIONS',
  'IMAGING',
]);

/** Returns the categories of what a bill names by its code: of the system where that is of one, else of anything billed. */
export function getServiceLabels(concept: unknown): DataMask {
  const categories = parseCodings(concept).map(({ system }) => CATEGORY_BY_SYSTEM.get(system));
  if (categories.length === 0 || categories.includes(undefined)) return ANY_SERVICE;
  return toLabelMask(categories.filter((category) => category !== undefined));
}

/** Elements of bills that name what belongs to other categories, or count it. */
export const BILLED_ELEMENTS: ReadonlyMap<string, DataMask> = new Map([
  ...['diagnosis', 'diagnosisSequence', 'diagnosisLinkId', 'reason'].map(
    (name) => [name, labelBit('DIAGNOSES')] as const,
  ),
  ...['procedure', 'procedureSequence', 'procedureLinkId'].map(
    (name) => [name, labelBit('PROCEDURES')] as const,
  ),
  ...['supportingInfo', 'informationSequence', 'informationLinkId', 'chargeItemCodeableConcept'].map(
    (name) => [name, ANY_SERVICE] as const,
  ),
]);

export const BILLS: ReadonlySet<string> = new Set([
  'Claim',
  'ClaimResponse',
  'CoverageEligibilityRequest',
  'CoverageEligibilityResponse',
  'ExplanationOfBenefit',
  'Invoice',
]);
