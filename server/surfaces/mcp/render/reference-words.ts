import type { DataMask } from '../../../../contract/brands.ts';
import { readText, type Element } from '../../../clinical/entries/element.ts';
import type { Pointer } from '../../../clinical/labels/locate-members.ts';
import { listMentions } from '../../../clinical/labels/mentions.ts';
import type { ParsedResource } from '../../../clinical/store/found-resource.ts';
import { LOOKED_UP_TYPES } from '../../../clinical/store/looked-up-types.ts';

/** Renders a reference by its own words: what it calls its target, and the address of that. */
export type RenderOwnWords = (reference: Element) => string;

/**
 * Creates what renders the references of a resource whose targets the record has no name for, which may be withheld. The words that
 * a consent withholds by the element or the type are left out of the resource already (`redactBody`). Whether another target is
 * of a withheld class is not known where it is not found: of it nothing is shown under a consent that withholds anything, unless
 * its name is part of what refers to it.
 */
export function createOwnWords(resource: ParsedResource, withheld: DataMask): RenderOwnWords {
  if (withheld === 0) return (reference) => join(reference, readAddress(reference));
  const ofOthers = findReferencesToOthers(resource);
  return (reference) => {
    if (ofOthers.has(reference)) return '';
    const address = readAddress(reference);
    return join(reference, address === null || isLookedUp(address) ? address : null);
  };
}

const readAddress = ({ reference }: Element): string | null => readText(reference);

function join(reference: Element, address: string | null): string {
  const display = readText(reference['display']);
  const note = address ?? (reference['reference'] === undefined ? readText(reference['type']) : null);
  return display === null ? (note ?? '') : note === null ? display : `${display} (${note})`;
}

/** Finds references that call something, which is neither who did something nor where, and may be a resource that the record holds. */
function findReferencesToOthers(resource: ParsedResource): ReadonlySet<Element> {
  const named = listMentions(resource).flatMap(({ named }) =>
    named === undefined ? [] : [getAt(resource, named)],
  );
  return new Set(
    named.filter((reference) => {
      const address = readAddress(reference);
      return address === null ? 'identifier' in reference : !isLookedUp(address);
    }),
  );
}

const getAt = (resource: ParsedResource, pointer: Pointer): Element =>
  pointer.reduce<unknown>(
    (value, key) => (value as Record<string | number, unknown>)[key],
    resource,
  ) as Element;

/** Whether an address is of a type whose names are part of what refers to it. */
function isLookedUp(address: string): boolean {
  const [, type = ''] = /(?:^|\/)([A-Z][A-Za-z]+)(?:\/|\?)[^/]*$/.exec(address) ?? [];
  return LOOKED_UP_TYPES.has(type);
}
