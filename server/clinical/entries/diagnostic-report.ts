import type { Entry } from './entry.ts';
import type { ParsedResource } from '../store/found-resource.ts';
import { toCodeKey, formatConcept, formatConcepts, LOINC } from './codeable-concept.ts';
import { listContainedResults } from './contained-results.ts';
import { getPath, toElements, joinPresent, readText } from './element.ts';
import { buildEntryBase } from './entry-base.ts';
import { readAdditionalNarrative } from './narrative.ts';
import { NO_CONTENT, buildNoteEntry, buildTextBody, readAttachedBody } from './note.ts';
import { formatDisplays } from './reference.ts';
import { getRecordKind } from './record-kind.ts';
import { readMeasurement } from './observation.ts';
import { readReference } from './reference-text.ts';
import { isReportOfResults } from './report-category.ts';
import type { EntryBuilder, EntryInput } from './entry-builder.ts';
import { findEndDate, findFirstDate } from './partial-date.ts';

/**
 * Builds notes for a report's forms and its conclusion, no entry for results that have entries themselves (1,682 of 1,887
 * labs of Synthea v2.7 are listed in a report), and a lab entry where the report is the only result there is.
 */
export const buildDiagnosticReport: EntryBuilder = (input) => {
  const { resource, context } = input;
  const facts = readFacts(input);
  const author =
    formatDisplays(resource['resultsInterpreter'], input) ?? formatDisplays(resource['performer'], input);
  const noteFacts = { ...facts, author, docStatus: null, sameAs: null };
  const forms = toElements(resource['presentedForm']).flatMap(
    (form) => readAttachedBody(form, context.getDocumentText) ?? [],
  );
  const notes = forms.map((form) =>
    buildNoteEntry(input, { ...noteFacts, title: facts.title ?? form.title }, form),
  );
  const conclusion = readConclusion(resource);
  const isIncluded = conclusion !== null && forms.some((form) => form.text?.includes(conclusion));
  const hasResults = toElements(resource['result']).length > 0 || listContainedResults(resource).length > 0;
  const isLab = isReportOfResults(resource);
  if (isLab && !hasResults && (conclusion !== null || notes.length === 0)) {
    return [...notes, buildLab(input, conclusion)];
  }
  const panel = hasResults ? [buildPanel(input, isLab ? { conclusion } : null)] : [];
  // What a panel of results comes to is listed with them; a long text is a note besides, which is read as a whole.
  const isListed = isLab && hasResults && (conclusion ?? '').length <= MAX_LISTED;
  if (conclusion !== null && !isIncluded && !isListed) {
    const title = notes.length > 0 && facts.title !== null ? `${facts.title}: conclusion` : facts.title;
    return [...notes, buildNoteEntry(input, { ...noteFacts, title }, buildTextBody(conclusion)), ...panel];
  }
  if (notes.length > 0 || hasResults) return [...notes, ...panel];
  return [buildNoteEntry(input, noteFacts, NO_CONTENT)];
};

function readFacts({ resource }: EntryInput) {
  return {
    title: formatConcept(resource['code']) ?? formatConcept(resource['category']),
    code: toCodeKey(resource['code'], [LOINC]),
    when: findFirstDate(
      resource['effectiveDateTime'],
      getPath(resource, 'effectivePeriod', 'start'),
      getPath(resource, 'effectivePeriod', 'end'),
      resource['issued'],
    ),
    end: findEndDate(getPath(resource, 'effectivePeriod', 'end')),
  };
}

function readConclusion(resource: ParsedResource): string | null {
  const codes = formatConcepts(resource['conclusionCode']);
  const words = readText(resource['conclusion']);
  const spoken = words ?? '';
  const narrative = readAdditionalNarrative(resource);
  return joinPresent(
    [
      words,
      ...codes.filter((code) => !spoken.includes(code)),
      narrative !== null && spoken.includes(narrative) ? null : narrative,
    ],
    '\n',
  );
}

const EMPTY_DETAIL = {
  unit: null,
  interpretation: null,
  referenceRange: null,
  components: [],
  panel: null,
  note: null,
};

function buildLab(input: EntryInput, value: string | null): Entry {
  const absent = value === null ? 'no result recorded' : null;
  return {
    ...buildEntryBase(input, readFacts(input)),
    kind: 'lab',
    detail: { value, absent, ...EMPTY_DETAIL, ...readMeasurement(input) },
  };
}

/** Results are listed with as much of what their report concludes. */
const MAX_LISTED = 300;

/** Builds the entry that names the results of a report, of a laboratory with what it concludes; it is listed by itself only where they are not. */
function buildPanel(input: EntryInput, lab: { conclusion: string | null } | null): Entry {
  const base = buildEntryBase(input, readFacts(input));
  const { resource } = input;
  if (lab === null)
    return { ...base, kind: getRecordKind(resource), detail: { type: 'DiagnosticReport', text: null } };
  const members = toElements(resource['result']).flatMap((each) => readReference(each) ?? []);
  return {
    ...base,
    kind: 'lab',
    detail: {
      value: null,
      absent: null,
      ...EMPTY_DETAIL,
      note: lab.conclusion,
      ...readMeasurement(input),
      members,
    },
  };
}
