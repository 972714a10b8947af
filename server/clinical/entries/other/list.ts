import { formatAnnotations } from '../annotation.ts';
import { formatConcept } from '../codeable-concept.ts';
import { isTrue, joinPresent, readText, toElements, type Element } from '../element.ts';
import { resolveDisplay } from '../reference.ts';
import type { Description, EntryInput } from '../entry-builder.ts';

/** What it lists may be thousands of resources that the record has by themselves. */
const MAX_ITEMS = 50;

/** FHIR's `mode` and `deleted` are modifiers: a list of changes is no list of what is so, and names what was taken off. */
export function describeList(input: EntryInput): Description {
  const { resource } = input;
  const title = formatConcept(resource['code']) ?? readText(resource['title']);
  const isChanges = readText(resource['mode']) === 'changes';
  const entries = toElements(resource['entry']);
  const items = entries.slice(0, MAX_ITEMS).map((entry) => formatItem(entry, input));
  const more = entries.length - MAX_ITEMS;
  const lines = [
    joinPresent(items, '; '),
    more > 0 ? `and ${more} more` : null,
    formatConcept(resource['emptyReason']),
    formatAnnotations(resource['note']),
  ];
  return {
    title: isChanges ? joinPresent(['Changes', title], ': ') : title,
    text: joinPresent(lines, '\n'),
  };
}

/** "taken off the list: Warfarin". */
function formatItem(entry: Element, input: EntryInput): string | null {
  const name = resolveDisplay(entry['item'], input);
  const flag = formatConcept(entry['flag']);
  const item = name && (flag === null ? name : `${name} (${flag})`);
  return item && (isTrue(entry['deleted']) ? `taken off the list: ${item}` : item);
}
