import { toCodeKey, formatConcept, LOINC } from './codeable-concept.ts';
import { getPath, flattenTree, readText } from './element.ts';
import { readAdditionalNarrative, readNarrative } from './narrative.ts';
import { NO_CONTENT, buildNoteEntry, buildTextBody } from './note.ts';
import { formatDisplays } from './reference.ts';
import type { EntryBuilder } from './entry-builder.ts';
import { findFirstDate } from './partial-date.ts';
import { readStatusCode } from './status-code.ts';

/** Builds a note for every section of a FHIR document that has a narrative. */
export const buildComposition: EntryBuilder = (input) => {
  const { resource } = input;
  const title = readText(resource['title']) ?? formatConcept(resource['type']);
  const facts = {
    code: toCodeKey(resource['type'], [LOINC]),
    when: findFirstDate(resource['date'], getPath(resource, 'event', 'period', 'start')),
    author: formatDisplays(resource['author'], input),
    docStatus: readStatusCode(resource['status']),
    sameAs: null,
  };
  const notes = flattenTree(resource['section'], 'section').flatMap((section) => {
    const words = readNarrative(section);
    const heading = readText(section['title']) ?? formatConcept(section['code']);
    const both = heading !== null && title !== null ? `${title}: ${heading}` : (heading ?? title);
    return words === null ? [] : [buildNoteEntry(input, { ...facts, title: both }, buildTextBody(words))];
  });
  const additional = readAdditionalNarrative(resource);
  if (notes.length > 0)
    return additional === null
      ? notes
      : [...notes, buildNoteEntry(input, { ...facts, title }, buildTextBody(additional))];
  const words = readNarrative(resource);
  return [buildNoteEntry(input, { ...facts, title }, words === null ? NO_CONTENT : buildTextBody(words))];
};
