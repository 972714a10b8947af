import { buildEntries } from '../../../clinical/entries/build-entries.ts';
import { readAdditionalNarrative, readOwnNarrative } from '../../../clinical/entries/narrative.ts';
import type { ParsedResource } from '../../../clinical/store/found-resource.ts';

/**
 * Returns the narrative of a resource where it may say what no field does, or where lists show it, as of an allergy that it
 * alone names. The notes that are shown have its words already.
 */
export function findNarrative(resource: ParsedResource, notes: readonly string[]): string | null {
  if (resource['text'] === undefined) return null;
  const words = readAdditionalNarrative(resource) ?? (isListed(resource) ? readOwnNarrative(resource) : null);
  // Of a long note a part was read: then it is the narrative that holds it.
  return words === null || notes.some((note) => note.includes(words) || words.includes(note)) ? null : words;
}

const WITHOUT_RECORD = { resolve: () => null };

const isListed = ({ text, ...rest }: ParsedResource): boolean =>
  JSON.stringify(buildEntries({ ...rest, text }, WITHOUT_RECORD)) !==
  JSON.stringify(buildEntries(rest, WITHOUT_RECORD));
