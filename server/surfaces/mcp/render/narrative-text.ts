import type { DataMask } from '../../../../contract/brands.ts';
import { buildEntries } from '../../../clinical/entries/build-entries.ts';
import type { Entry } from '../../../clinical/entries/entry.ts';
import { readAdditionalNarrative, readOwnNarrative } from '../../../clinical/entries/narrative.ts';
import type { ParsedResource } from '../../../clinical/store/found-resource.ts';
import { fenced, truncate } from './escape-markdown.ts';
import type { Block } from './markdown.ts';
import { isContactWithheld } from './resource-text.ts';

const MAX_LENGTH = 4000;

/**
 * Renders the narrative of a resource where it may say what no field does, or where lists show it, as of an allergy that it
 * alone names. A note shows its words itself; what somebody's narrative says of them may be how to reach them.
 */
export function renderNarrative(
  resource: ParsedResource,
  { entry, withheld }: { entry: Entry | undefined; withheld: DataMask },
): Block {
  if (resource['text'] === undefined || isContactWithheld(resource, withheld)) return null;
  const words = readAdditionalNarrative(resource) ?? (isListed(resource) ? readOwnNarrative(resource) : null);
  const isNote = entry?.kind === 'note' && entry.detail.text?.includes(words ?? '') === true;
  return words === null || isNote ? null : ['Its narrative:', fenced(truncate(words, MAX_LENGTH))];
}

const WITHOUT_RECORD = { resolve: () => null };

const isListed = ({ text, ...rest }: ParsedResource): boolean =>
  JSON.stringify(buildEntries({ ...rest, text }, WITHOUT_RECORD)) !==
  JSON.stringify(buildEntries(rest, WITHOUT_RECORD));
