import type { ParsedResource } from '../found-resource.ts';
import { readAttachment } from './attachment.ts';
import { codeKey, conceptText, LOINC } from './codeable-concept.ts';
import { at, elements, text } from './element.ts';
import { NO_CONTENT, noteEntry } from './note.ts';
import { endOf } from './period.ts';
import { labelList } from './reference.ts';
import { referenceText } from './reference-text.ts';
import type { Projector } from './source.ts';
import { firstDate } from './written-date.ts';

export const documentReference: Projector = (source) => {
  const { resource, context } = source;
  if (text(resource['docStatus']) === 'entered-in-error') return [];
  const attachments = elements(resource['content']).map(({ attachment }) =>
    readAttachment(attachment, context.textOf),
  );
  const found = attachments.filter((each) => each !== null);
  const title =
    conceptText(resource['type']) ?? text(resource['description']) ?? conceptText(resource['category']);
  const facts = {
    code: codeKey(resource['type'], [LOINC]),
    // A note belongs to the day of the visit it tells of, where get_visits shows that visit. `date` is when the
    // reference was made: in all 8 examples from elsewhere than Synthea that have both, it is months to years later.
    when: firstDate(
      at(resource, 'context', 'period', 'start'),
      found[0] && at(resource, 'content', 'attachment', 'creation'),
      resource['date'],
      resource['indexed'],
    ),
    end: endOf(at(resource, 'context', 'period', 'end')),
    author: labelList(resource['author'], source),
    docStatus: text(resource['docStatus']),
    sameAs: linkedReport(resource),
  };
  if (found.length === 0) return [noteEntry(source, { title, ...facts }, NO_CONTENT)];
  return found.map((body) => {
    const name = title ?? body.title;
    const several = found.length > 1 ? (body.title ?? body.contentType) : null;
    return noteEntry(
      source,
      { title: several && several !== name ? `${name} (${several})` : name, ...facts },
      body,
    );
  });
};

/**
 * The resource that holds the same note. Synthea v2.7 and later: identifier `urn:uuid:<DiagnosticReport.id>`;
 * others: context.related. An identifier that names nothing in the record links nothing.
 */
function linkedReport(resource: ParsedResource): string | null {
  const named = elements(resource['identifier']).map(({ value }) => text(value));
  const urn = named.find((value) => value !== null && /^urn:uuid:[0-9a-f-]{36}$/i.test(value));
  const related = elements(at(resource, 'context', 'related')).map(referenceText);
  const report = related.find((reference) => reference?.includes('DiagnosticReport/'));
  return urn ?? report ?? null;
}
