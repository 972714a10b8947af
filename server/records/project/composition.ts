import { codeKey, conceptText, LOINC } from './codeable-concept.ts';
import { at, flattened, text, type Element } from './element.ts';
import { textOfHtml } from './narrative.ts';
import { NO_CONTENT, noteEntry, wordsAsBody } from './note.ts';
import { labelList } from './reference.ts';
import type { Projector } from './source.ts';
import { firstDate } from './written-date.ts';

/** A FHIR document: every section with a narrative is a note. */
export const composition: Projector = (source) => {
  const { resource } = source;
  const title = text(resource['title']) ?? conceptText(resource['type']);
  const facts = {
    code: codeKey(resource['type'], [LOINC]),
    when: firstDate(resource['date'], at(resource, 'event', 'period', 'start')),
    author: labelList(resource['author'], source),
    docStatus: text(resource['status']),
    sameAs: null,
  };
  const notes = flattened(resource['section'], 'section').flatMap((section) => {
    const words = narrativeOf(section);
    const heading = text(section['title']) ?? conceptText(section['code']);
    const both = heading !== null && title !== null ? `${title}: ${heading}` : (heading ?? title);
    return words === null ? [] : [noteEntry(source, { ...facts, title: both }, wordsAsBody(words))];
  });
  if (notes.length > 0) return notes;
  const words = narrativeOf(resource);
  return [noteEntry(source, { ...facts, title }, words === null ? NO_CONTENT : wordsAsBody(words))];
};

/** The words of `text.div`; null when there are none. */
export function narrativeOf(holder: Element): string | null {
  const div = text(at(holder, 'text', 'div'));
  return div === null ? null : text(textOfHtml(div));
}
