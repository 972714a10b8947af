import type { ResourceScope } from '../../../contract/data-categories.ts';
import type { ParsedResource } from '../store/found-resource.ts';
import { parseCodings } from './codeable-concept.ts';
import { readTexts, toElements } from './element.ts';

/**
 * Categories of laboratories, in small letters: those of observations, the diagnostic service sections of v2-0074, LOINC and
 * SNOMED CT, and words without a code.
 */
export const LABORATORY_CATEGORIES: readonly string[] = [
  ...'lab ch hm mb blb sr vr imm mcb myc tx par'.split(' '),
  ...'lp29693-6 26436-6 108252007 4241000179101'.split(' '),
  ...'laboratory laboratories labs chemistry hematology haematology microbiology serology coagulation'.split(
    ' ',
  ),
  ...'urinalysis labor laborwerte laboratorio laboratoire'.split(' '),
  'lab results',
  'laboratory results',
  'laboratory tests',
];
const LABORATORY = new Set(LABORATORY_CATEGORIES);
const IMAGING = new Set('RAD RUS CT NMR XRC CUS CTH NMS OUS VUS MRI IMG RX'.split(' '));
const GENETIC = new Set(['GE', 'CG']);

/** LOINC and SNOMED categories of imaging, and the LOINC document types (as category or code) that are clinical notes. */
const IMAGING_CODES = new Set(['LP29684-5', '18748-4', '394914008']);
const NOTE_CODES = new Set(
  [
    '34117-2 51847-2 11506-3 18842-5 11488-4 28570-0 34133-9 11504-8 34111-5 34109-9 57133-1 34746-8 34108-1 28568-4 clinical-note',
    'LP173418-7',
  ].flatMap((line) => line.split(' ')),
);

function listCategoryCodes(resource: ParsedResource): string[] {
  return parseCodings(resource['category']).flatMap(({ code }) => code ?? []);
}

export function isLaboratory(report: ParsedResource): boolean {
  const names = toElements(report['category']).flatMap(({ text }) => readTexts(text));
  return [...listCategoryCodes(report), ...names].some((each) => LABORATORY.has(each.toLowerCase()));
}

/** Whether the results that a report lists are those of a laboratory: it says so, or nothing else. */
export const isReportOfResults = (report: ParsedResource): boolean =>
  report.resourceType === 'DiagnosticReport' &&
  (isLaboratory(report) ||
    (toElements(report['result']).length > 0 && toElements(report['category']).length === 0));

/** Categorizes a report. 546 of 787 reports of Synthea v2.7 are the visit's note, to be recognized by their category alone. */
export function categorizeReport(report: ParsedResource): ResourceScope {
  const categoryCodes = listCategoryCodes(report);
  // US Core's test data files discharge summaries under radiology: the title of a report says more than its section.
  const isNote = parseCodings(report['code']).some(({ code }) => code !== null && NOTE_CODES.has(code));
  if (categoryCodes.some((code) => GENETIC.has(code))) return 'GENOMIC_DATA';
  if (isLaboratory(report)) return 'LABS';
  if (isNote) return 'CLINICAL_NOTES';
  if (categoryCodes.some((code) => IMAGING.has(code) || IMAGING_CODES.has(code))) return 'IMAGING';
  return categoryCodes.some((code) => NOTE_CODES.has(code)) ? 'CLINICAL_NOTES' : 'DIAGNOSTIC_REPORTS';
}
