import type { ResourceScope } from '../../../contract/data-categories.ts';
import type { ParsedResource } from '../store/found-resource.ts';
import { listCodes, parseCodings, formatConcept, LOINC, SNOMED } from './codeable-concept.ts';
import { getPath, toElements, readTexts } from './element.ts';
import { namesLaboratoryTest } from './laboratory-test.ts';
import { readValue } from './measure.ts';
import { LABORATORY_CATEGORIES } from './report-category.ts';
import { identifyVital } from './vital-signs.ts';

type ObservationKind = 'vital' | 'lab' | 'social_history' | 'survey' | 'other';

/** observation-category and v2-0074 codes, and how laboratories are called in words; `vital-sign` is a misspelling that occurs. */
const KIND_OF_CATEGORY = new Map<string, ObservationKind>([
  ...['vital-signs', 'vital-sign', 'vital signs', 'vitals'].map((each) => [each, 'vital'] as const),
  ...LABORATORY_CATEGORIES.map((each) => [each, 'lab'] as const),
  ...['social-history', 'sdoh', 'activity'].map((each) => [each, 'social_history'] as const),
  ...['survey', 'functional-status', 'cognitive-status', 'disability-status'].map(
    (each) => [each, 'survey'] as const,
  ),
  ...['imaging', 'procedure', 'exam', 'therapy', 'rad'].map((each) => [each, 'other'] as const),
  ...['care-experience-preference', 'treatment-intervention-preference'].map(
    (each) => [each, 'other'] as const,
  ),
]);
const BY_WEIGHT: ObservationKind[] = ['vital', 'lab', 'survey', 'social_history', 'other'];

/** LOINC questions on social history that arrive without a category. */
const SOCIAL_CODES = new Set(
  [
    '72166-2 11367-0 63773-6 11331-6 74013-4 11341-5 71802-3 82589-3 67875-5 76690-7 76691-5 46098-0',
    '88121-9 88122-7 88123-5 88124-3 82810-3 32624-9',
  ].flatMap((line) => line.split(' ')),
);
/** How LOINC names of laboratory tests mention the specimen. */
const SPECIMEN =
  /\b(in|of) .{0,40}\b(blood|serum|plasma|urine|stool|saliva|specimen|sputum|nasopharynx|tissue|csf|cerebral spinal fluid|body fluid|isolate)\b/i;

/** What LOINC and SNOMED CT call genetic results; the labels know further tests. */
export const GENOMIC_LOINC_CODES =
  '55233-1 51969-4 81247-9 69548-6 53037-8 81252-9 48018-6 48002-0 48004-6 48005-3 84413-4';
export const GENOMIC_SNOMED_CODES = '363779003';
const GENOMIC_CODES = new Set([GENOMIC_LOINC_CODES, GENOMIC_SNOMED_CODES].flatMap((line) => line.split(' ')));
const IDENTITY_CATEGORY = new Map<string, ResourceScope>([
  ['56799-0', 'CONTACT_INFO'], // Address
  ['32624-9', 'DEMOGRAPHICS'], // Race
  ['56051-6', 'DEMOGRAPHICS'], // Hispanic or Latino
  ['54899-0', 'DEMOGRAPHICS'], // Preferred language
  ['76691-5', 'DEMOGRAPHICS'], // Gender identity
  ['46098-0', 'DEMOGRAPHICS'], // Sex
]);

/** Said of whatever was found at a visit: a test of blood is one of a laboratory all the same. */
const EXAM = 'exam';

/** Classifies by code for vital signs, whatever the category says; then by the category; then by what code and value look like. */
export function classifyObservation(observation: ParsedResource): ObservationKind {
  if (identifyVital(observation) !== null) return 'vital';
  const known = listCategories(observation).filter((each) => KIND_OF_CATEGORY.has(each));
  const kinds = known.flatMap((each) => KIND_OF_CATEGORY.get(each) ?? []);
  const kind = BY_WEIGHT.find((each) => kinds.includes(each));
  if (kind === undefined) return classifyUncategorized(observation);
  return known.every((each) => each === EXAM) && namesTest(observation) ? 'lab' : kind;
}

/**
 * Most of LOINC are laboratory tests: of 33 Observations of the sample data with a LOINC code and no category this
 * reads 27 as labs, and one of them, a bone density, is none. Hiding a potassium is worse. So a LOINC-coded quantity
 * is a lab unless it is a score, and so is anything whose name mentions a specimen, and what the vocabulary knows as a test.
 * A range or a flag says nothing: scales, incomes and steps have them too, and a consent to laboratory results is none to these.
 */
function classifyUncategorized(observation: ParsedResource): ObservationKind {
  const codes = listCodes(observation['code'], LOINC).filter((code) => /^\d{1,6}-\d$/.test(code));
  if (codes.some((code) => SOCIAL_CODES.has(code))) return 'social_history';
  if (isGenomic(observation)) return 'other';
  if (codes.length > 0 && 'valueQuantity' in observation && !isScore(observation)) return 'lab';
  if (codes.length > 0 && listDisplays(observation).some((name) => SPECIMEN.test(name))) return 'lab';
  return namesTest(observation) ? 'lab' : 'other';
}

const namesTest = (observation: ParsedResource): boolean =>
  !isGenomic(observation) && !isScore(observation) && namesLaboratoryTest(observation['code']);

const isScore = (observation: ParsedResource): boolean =>
  /score/i.test(readValue(observation).unit ?? '') ||
  /\bscore\b/i.test(formatConcept(observation['code']) ?? '');

export const hasKnownCategory = (observation: ParsedResource): boolean =>
  listCategories(observation).some((each) => KIND_OF_CATEGORY.has(each));

/**
 * Returns under which kind an Observation is listed: a score without a category is one of the surveys and scores. Its
 * category of consent is not that of surveys: what a person shared or withheld stays so.
 */
export function getObservationKind(observation: ParsedResource): ObservationKind {
  const kind = classifyObservation(observation);
  return kind === 'other' && !hasKnownCategory(observation) && !isGenomic(observation) && isScore(observation)
    ? 'survey'
    : kind;
}

function listDisplays(observation: ParsedResource): string[] {
  return parseCodings(observation['code']).flatMap(({ display }) => display ?? []);
}

function listCategories(observation: ParsedResource): string[] {
  const written = observation['category'];
  const concepts = toElements(written);
  const categoryNames = [...readTexts(written), ...concepts.flatMap((each) => readTexts(each['text']))];
  return [...parseCodings(written).flatMap(({ code }) => code ?? []), ...categoryNames].map((each) =>
    each.toLowerCase(),
  );
}

function isGenomic(observation: ParsedResource): boolean {
  const codes = [...listCodes(observation['code'], LOINC), ...listCodes(observation['code'], SNOMED)];
  return (
    codes.some((code) => GENOMIC_CODES.has(code)) ||
    listCategories(observation).some((each) => each === 'ge' || each.startsWith('genomic')) ||
    readTexts(getPath(observation, 'meta', 'profile')).some((profile) =>
      profile.includes('/genomics-reporting/'),
    )
  );
}

export function categorizeObservation(observation: ParsedResource): ResourceScope {
  const kind = classifyObservation(observation);
  if (kind === 'vital') return 'CLINICAL_VITALS';
  if (isGenomic(observation)) return 'GENOMIC_DATA';
  if (kind === 'lab') return 'LABS';
  const identity = listCodes(observation['code'], LOINC).flatMap((code) => IDENTITY_CATEGORY.get(code) ?? []);
  if (identity[0]) return identity[0];
  if (kind === 'social_history' || kind === 'survey') return 'SOCIAL_HISTORY';
  const categoryNames = listCategories(observation);
  if (categoryNames.includes('imaging') || categoryNames.includes('rad')) return 'IMAGING';
  return categoryNames.some((each) => each.endsWith('preference')) ? 'TREATMENT_PLAN' : 'DIAGNOSTIC_REPORTS';
}
