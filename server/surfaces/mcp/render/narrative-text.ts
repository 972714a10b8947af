import type { DataMask } from '../../../../contract/brands.ts';
import { buildEntries } from '../../../clinical/entries/build-entries.ts';
import { readAdditionalNarrative, readOwnNarrative } from '../../../clinical/entries/narrative.ts';
import type { ParsedResource } from '../../../clinical/store/found-resource.ts';
import { isContactWithheld } from './resource-text.ts';

/**
 * Returns the narrative of a resource where it may say what no field does, or where lists show it, as of an allergy that it
 * alone names. The notes that are shown have its words already; what somebody's narrative says of them may be how to reach them.
 */
export function findNarrative(
  resource: ParsedResource,
  { notes, withheld }: { notes: readonly string[]; withheld: DataMask },
): string | null {
  if (resource['text'] === undefined || isContactWithheld(resource, withheld)) return null;
  const words = readAdditionalNarrative(resource) ?? (isListed(resource) ? readOwnNarrative(resource) : null);
  // Of a long note a part was read: then it is the narrative that holds it.
  return words === null || notes.some((note) => note.includes(words) || words.includes(note)) ? null : words;
}

const WITHOUT_RECORD = { resolve: () => null };

const isListed = ({ text, ...rest }: ParsedResource): boolean =>
  JSON.stringify(buildEntries({ ...rest, text }, WITHOUT_RECORD)) !==
  JSON.stringify(buildEntries(rest, WITHOUT_RECORD));
