import { formatConcept } from './codeable-concept.ts';
import { getPath, toArray, toElement, toElements, type Element } from './element.ts';
import { addAbsent, type Reading } from './version-reading.ts';

/** Whether an element is a CodeableReference, which holds a CodeableConcept, a Reference or both. */
export const isCodeableReference = (value: Element): boolean =>
  toElement(value['concept']) !== null || toElement(value['reference']) !== null;

/** Reads a CodeableReference where R4 has a CodeableConcept; null of anything else. */
export function readConcept(value: Element): Element | null {
  if (!isCodeableReference(value)) return null;
  return toElement(value['concept']) ?? { text: getPath(value, 'reference', 'display') };
}

/** Reads a CodeableReference where R4 has a Reference; null of anything else. */
export function readReferenced(value: Element): Element | null {
  if (!isCodeableReference(value)) return null;
  return toElement(value['reference']) ?? { display: formatConcept(value['concept']) };
}

/** Returns the element with what its parts say as R4 would say it; null where none of them says anything otherwise. */
export const change = (holder: Element, name: string, read: Reading): Element | null =>
  replace(holder, name, (part) => {
    const elements = read(part);
    return elements && { ...part, ...elements };
  });

/** Returns the element with what its members are read as; null where all stay as they are. */
export function replace(holder: Element, name: string, read: Reading): Element | null {
  const written = holder[name];
  if (written === undefined) return null;
  let isChanged = false;
  const members = toArray(written).map((member): unknown => {
    const changed = toElements(member).length === 1 ? read(toElement(member) as Element) : null;
    isChanged ||= changed !== null;
    return changed ?? member;
  });
  return isChanged ? { [name]: Array.isArray(written) ? members : members[0] } : null;
}

/** Adds the concepts of CodeableReferences by the first name, and their references by the second. */
export function addSplit(
  holder: Element,
  name: string,
  [concepts, references]: readonly [string, string],
): Element | null {
  const members = toElements(holder[name]).filter(isCodeableReference);
  return members.length === 0 ? null : addAbsent(holder, splitMembers(members, [concepts, references]));
}

/** Lists the concepts by the first name, and the references by the second. */
export function splitMembers(
  members: readonly Element[],
  [concepts, references]: readonly [string, string],
): Element {
  const list = (name: string): Element[] | undefined => {
    const found = members.flatMap((each) => toElements(each[name]));
    return found.length === 0 ? undefined : found;
  };
  return { [concepts]: list('concept'), [references]: list('reference') };
}
