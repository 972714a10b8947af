import type { Entry } from '../entry.ts';
import type { ParsedResource } from '../found-resource.ts';
import { readAttachment } from './attachment.ts';
import { codeKey, conceptText, conceptTexts, LOINC } from './codeable-concept.ts';
import { at, elements, joined, text } from './element.ts';
import { entryBase } from './entry-base.ts';
import { NO_CONTENT, noteEntry, wordsAsBody } from './note.ts';
import { endOf } from './period.ts';
import { labelList } from './reference.ts';
import { isLaboratory } from './report-category.ts';
import type { Projector, Source } from './source.ts';
import { firstDate } from './written-date.ts';

/**
 * A report is what it holds: notes for its forms and its conclusion, nothing for results that are rows themselves
 * (1,682 of 1,887 labs of Synthea v2.7 are listed in a report), and a lab row where it is the only result there is.
 */
export const diagnosticReport: Projector = (source) => {
  const { resource, context } = source;
  const facts = factsOf(source);
  const author =
    labelList(resource['resultsInterpreter'], source) ?? labelList(resource['performer'], source);
  const said = { ...facts, author, docStatus: null, sameAs: null };
  const forms = elements(resource['presentedForm']).flatMap(
    (form) => readAttachment(form, context.textOf) ?? [],
  );
  const notes = forms.map((form) => noteEntry(source, { ...said, title: facts.title ?? form.title }, form));
  const conclusion = conclusionOf(resource);
  const told = conclusion !== null && forms.some((form) => form.text?.includes(conclusion));
  const hasResults = elements(resource['result']).length > 0;
  const lab = isLaboratory(resource) || (hasResults && elements(resource['category']).length === 0);
  if (lab && !hasResults && (conclusion !== null || notes.length === 0)) {
    return [...notes, labOf(source, conclusion)];
  }
  if (conclusion !== null && !told) {
    const title = notes.length > 0 && facts.title !== null ? `${facts.title}: conclusion` : facts.title;
    return [...notes, noteEntry(source, { ...said, title }, wordsAsBody(conclusion))];
  }
  if (notes.length > 0 || (lab && hasResults)) return notes;
  if (hasResults)
    return [{ ...entryBase(source, facts), kind: 'other', detail: { type: 'DiagnosticReport', text: null } }];
  return [noteEntry(source, said, NO_CONTENT)];
};

function factsOf({ resource }: Source) {
  return {
    title: conceptText(resource['code']) ?? conceptText(resource['category']),
    code: codeKey(resource['code'], [LOINC]),
    when: firstDate(
      resource['effectiveDateTime'],
      at(resource, 'effectivePeriod', 'start'),
      at(resource, 'effectivePeriod', 'end'),
      resource['issued'],
    ),
    end: endOf(at(resource, 'effectivePeriod', 'end')),
  };
}

function conclusionOf(resource: ParsedResource): string | null {
  const codes = conceptTexts(resource['conclusionCode']);
  const words = text(resource['conclusion']);
  return joined([words, ...codes.filter((code) => !(words ?? '').includes(code))], '\n');
}

function labOf(source: Source, value: string | null): Entry {
  const absent = value === null ? 'no result recorded' : null;
  const silent = {
    unit: null,
    interpretation: null,
    referenceRange: null,
    components: [],
    panel: null,
    note: null,
  };
  return { ...entryBase(source, factsOf(source)), kind: 'lab', detail: { value, absent, ...silent } };
}
