import type { Element } from './element.ts';

/** The elements of R4 that say what those of another version say; null where there are none of these. */
export type Reading = (resource: Element) => Element | null;

/** Adds what R4 says elsewhere, unless the resource says it there; null where it says nothing in the other way. */
export function addAbsent(resource: Element, elements: Element): Element | null {
  const added = Object.entries(elements).filter(
    ([name, value]) => value !== undefined && value !== null && resource[name] === undefined,
  );
  return added.length === 0 ? null : Object.fromEntries(added);
}

/** Joins readings; null where all are. */
export const merge = (...parts: (Element | null)[]): Element | null =>
  parts.every((part) => part === null) ? null : Object.assign({}, ...parts);
