import type { ParsedResource } from '../store/found-resource.ts';
import { isTrue, readText, toElements, type Element } from './element.ts';
import { formatItself } from './entry-base.ts';
import type { Entry } from './entry.ts';

/** Said of an entry that an extension changes in a way that is not understood. */
export const MODIFIED_WORDS = 'with an unknown modifier';

const MODIFIED = ` (${MODIFIED_WORDS})`;

export const isModified = ({ title }: { title: string }): boolean => title.endsWith(MODIFIED);

/** The one modifier extension of FHIR R4 that stands in a record; `doNotPerform` is its element. */
const DO_NOT_PERFORM = 'http://hl7.org/fhir/StructureDefinition/request-doNotPerform';

/** Whether a request asks that something is not done. */
export const isForbidden = (resource: ParsedResource): boolean =>
  isTrue(resource['doNotPerform']) ||
  toElements(resource['modifierExtension']).some(
    ({ url, valueBoolean }) => readText(url) === DO_NOT_PERFORM && isTrue(valueBoolean),
  );

/**
 * Marks the entries of a resource that has a modifier extension anywhere in it: whoever does not understand it does not know
 * what the rest says (https://hl7.org/fhir/R4/extensibility.html#modifierExtension). Such an entry is one with no other.
 */
export function markModified(resource: ParsedResource, entries: Entry[]): Entry[] {
  if (entries.length === 0 || !hasUnknownModifier(resource)) return entries;
  const itself = formatItself({ resource });
  return entries.map(({ names: _names, ...entry }) => ({
    ...entry,
    title: `${entry.title}${MODIFIED}`,
    groupKey: `${entry.groupKey.startsWith('not:') ? 'not:' : ''}one:${itself}`,
  }));
}

/** Without recursion: depth is the sender's choice. */
function hasUnknownModifier(resource: ParsedResource): boolean {
  const pending: object[] = [resource];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (Array.isArray(node)) {
      for (const member of node as unknown[])
        if (typeof member === 'object' && member !== null) pending.push(member);
      continue;
    }
    for (const key in node) {
      const value = (node as Element)[key];
      if (typeof value !== 'object' || value === null) continue;
      if (key !== 'modifierExtension') pending.push(value);
      else if (toElements(value).some(({ url }) => node !== resource || readText(url) !== DO_NOT_PERFORM))
        return true;
    }
  }
  return false;
}
