import type { ParsedResource } from '../store/found-resource.ts';
import { toCodeKey, formatConcept, LOINC } from './codeable-concept.ts';
import { getPath, toElements, readText } from './element.ts';
import { readAdditionalNarrative } from './narrative.ts';
import { NO_CONTENT, buildNoteEntry, buildTextBody, readAttachedBody } from './note.ts';
import { formatDisplays } from './reference.ts';
import { readReference } from './reference-text.ts';
import type { EntryBuilder } from './entry-builder.ts';
import { collectDocumentNames } from './document-names.ts';
import { findEndDate, findFirstDate } from './partial-date.ts';
import { readStatusCode } from './status-code.ts';

export const buildDocumentReference: EntryBuilder = (input) => {
  const { resource, context } = input;
  const attachments = toElements(resource['content']).map(({ attachment }) =>
    readAttachedBody(attachment, context.getDocumentText),
  );
  const found = attachments.filter((each) => each !== null);
  const title =
    formatConcept(resource['type']) ??
    readText(resource['description']) ??
    formatConcept(resource['category']);
  const facts = {
    code: toCodeKey(resource['type'], [LOINC]),
    // A note belongs to the day of the visit it describes, where get_visits shows that visit. `date` is when the
    // reference was made: in all 8 examples from elsewhere than Synthea that have both, it is months to years later.
    when: findFirstDate(
      getPath(resource, 'context', 'period', 'start'),
      found[0] && getPath(resource, 'content', 'attachment', 'creation'),
      resource['date'],
      resource['indexed'],
    ),
    end: findEndDate(getPath(resource, 'context', 'period', 'end')),
    author: formatDisplays(resource['author'], input),
    docStatus: readStatusCode(resource['docStatus']),
    sameAs: findLinkedReport(resource),
    displays: collectDocumentNames(resource, title),
  };
  const words = readAdditionalNarrative(resource);
  const narrative = words === null ? [] : [buildNoteEntry(input, { title, ...facts }, buildTextBody(words))];
  if (found.length === 0)
    return narrative.length > 0 ? narrative : [buildNoteEntry(input, { title, ...facts }, NO_CONTENT)];
  const notes = found.map((body) => {
    const name = title ?? body.title;
    const several = found.length > 1 ? (body.title ?? body.contentType) : null;
    return buildNoteEntry(
      input,
      { title: several && several !== name ? `${name} (${several})` : name, ...facts },
      body,
    );
  });
  return words === null || found.some(({ text }) => text?.includes(words)) ? notes : [...notes, ...narrative];
};

/**
 * Finds the reference to the resource that holds the same note. Synthea v2.7 and later: identifier `urn:uuid:<DiagnosticReport.id>`;
 * others: context.related. An identifier of no resource of the record links nothing.
 */
function findLinkedReport(resource: ParsedResource): string | null {
  const named = toElements(resource['identifier']).map(({ value }) => readText(value));
  const urn = named.find((value) => value !== null && /^urn:uuid:[0-9a-f-]{36}$/i.test(value));
  const related = toElements(getPath(resource, 'context', 'related')).map(readReference);
  const report = related.find((reference) => reference?.includes('DiagnosticReport/'));
  return urn ?? report ?? null;
}
