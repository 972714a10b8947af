import { htmlToText } from '../../../documents/html/html-to-text.ts';
import type { ParsedResource } from '../store/found-resource.ts';
import { getPath, joinPresent, readText, type Element } from './element.ts';
import type { Entry } from './entry.ts';

/** Reads the words of `text.div`; null when there are none. */
export function readNarrative(holder: Element): string | null {
  const div = readText(getPath(holder, 'text', 'div'));
  const words = div === null ? null : readText(htmlToText(div));
  return words !== null && /[\p{L}\p{N}]/u.test(words) ? words : null;
}

const readStatus = (resource: ParsedResource): string | null => readText(getPath(resource, 'text', 'status'));

/** What the narrative says, but for one that only says that there is none. */
export const readOwnNarrative = (resource: ParsedResource): string | null =>
  readStatus(resource) === 'empty' ? null : readNarrative(resource);

/** Of these FHIR says that the narrative repeats the elements, or says nothing. */
const REPEATING = new Set<string | null>(['generated', 'extensions', 'empty']);

/**
 * Reads a narrative that may say what no element does: `additional`, and whatever does not say what it is
 * (https://hl7.org/fhir/R4/valueset-narrative-status.html).
 */
export const readAdditionalNarrative = (resource: ParsedResource): string | null =>
  resource['text'] === undefined || REPEATING.has(readStatus(resource)) ? null : readNarrative(resource);

const MAX_NAME_LENGTH = 120;

/** Headings and first lines that generators write. */
const BOILERPLATE = /^(?:generated narrative|id|resource|language|identifier|meta)\b/i;

/** Names a resource that no element names by the first line of its narrative, whatever that repeats. */
export function nameByNarrative(resource: ParsedResource): string | null {
  if (resource['text'] === undefined) return null;
  const lines = (readOwnNarrative(resource) ?? '').split('\n').map((line) => line.replace(/^- /, '').trim());
  const line = lines.find((each) => /\p{L}/u.test(each) && !BOILERPLATE.test(each));
  if (line === undefined || line.length <= MAX_NAME_LENGTH) return line ?? null;
  const cut = line.slice(0, MAX_NAME_LENGTH);
  return `${cut.slice(0, cut.lastIndexOf(' ')) || cut} …`;
}

/** Their narrative is a note, or a part of one. */
const NOTES = new Set(['DocumentReference', 'DiagnosticReport', 'Composition']);

/** Adds the words of the narrative to entries that do not hold them: what no element says, and the rest of a name. */
export function addNarrative(resource: ParsedResource, entries: Entry[]): Entry[] {
  if (resource['text'] === undefined || NOTES.has(resource.resourceType)) return entries;
  const additional = readAdditionalNarrative(resource);
  const name = nameByNarrative(resource);
  return entries.map((entry) => {
    const words = additional ?? (entry.title === name ? readOwnNarrative(resource) : null);
    return words === null ? entry : addWords(entry, words);
  });
}

function addWords(entry: Entry, words: string): Entry {
  if (entry.kind === 'note' || words === entry.title) return entry;
  const { detail } = entry;
  const written = 'text' in detail ? detail.text : (detail.note ?? null);
  if (written?.includes(words)) return entry;
  const all = joinPresent([written, words], '\n');
  return { ...entry, detail: { ...detail, ['text' in detail ? 'text' : 'note']: all } } as Entry;
}
