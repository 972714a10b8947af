import { readText, type Element } from '../entries/element.ts';
import { IN_ERROR, type Objection } from '../entries/objection.ts';
import type { ParsedResource } from '../store/found-resource.ts';
import type { Pointer } from './locate-members.ts';

/** The way to a reference that names its target in words of its own. */
export interface NamedReference {
  pointer: Pointer;
  target: string;
}

/**
 * Copies a resource with what it calls others as they are: without the words for what was entered in error, with the doubt
 * behind the words for what is doubted ("Lung cancer (refuted)").
 */
export const qualifyNames = (
  resource: ParsedResource,
  references: readonly NamedReference[],
  objections: ReadonlyMap<string, Objection>,
): ParsedResource =>
  references.reduce((copy, { pointer, target }) => {
    const objection = objections.get(target);
    return objection === undefined ? copy : changeAt(copy, pointer, (each) => qualify(each, objection));
  }, resource);

function qualify({ display, ...reference }: Element, objection: Objection): Element {
  return objection === IN_ERROR
    ? reference
    : { ...reference, display: `${readText(display)} (${objection})` };
}

function changeAt<T>(value: T, [key, ...rest]: Pointer, change: (element: Element) => Element): T {
  if (key === undefined) return change(value as Element) as T;
  const inner = changeAt((value as Record<string | number, unknown>)[key], rest, change);
  return (Array.isArray(value) ? value.with(key as number, inner) : { ...value, [key]: inner }) as T;
}
