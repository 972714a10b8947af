import { toArray, toElement } from '../entries/element.ts';

/** The types that say who somebody is and, in elements of their own, how to reach them: the consents for these are two. */
export const PERSON_TYPES: ReadonlySet<string> = new Set(['Patient', 'Person']);

const CONTACT_ELEMENTS: ReadonlySet<string> = new Set(['telecom', 'address', 'contact']);

const isContactElement = (name: string): boolean => CONTACT_ELEMENTS.has(name.replace(/^_/, ''));

/** The data types of addresses and telephone numbers, where an extension has them. */
const CONTACT_VALUES = [
  'valueAddress',
  'valueContactPoint',
  'valueContactDetail',
  'valueExtendedContactDetail',
];

const CONTACT_ADDRESS = /^(?:tel|mailto|sms|fax):/i;

/** Whether an extension is one of contact data: an address, or a value that has some. */
function isContactValue(value: object): boolean {
  if (CONTACT_VALUES.some((name) => Object.hasOwn(value, name))) return true;
  return Object.entries(value).some(
    ([name, inner]) =>
      /^value[A-Z]/.test(name) &&
      (typeof inner === 'string' ? CONTACT_ADDRESS.test(inner.trim()) : hasContactElement(inner)),
  );
}

/** Whether there are telephone numbers or addresses in a value: a Contributor has people with both. */
function hasContactElement(root: unknown): boolean {
  const pending: unknown[] = [root];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    if (!Array.isArray(next) && Object.keys(next).some(isContactElement)) return true;
    pending.push(...(Object.values(next) as unknown[]));
  }
  return false;
}

/** True where a Patient or Person says how to reach somebody, in elements or in an extension at any depth. */
export function hasContact(person: object): boolean {
  if (Object.keys(person).some(isContactElement)) return true;
  const pending: object[] = [person];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (isContactValue(next)) return true;
    for (const value of Object.values(next) as unknown[])
      if (typeof value === 'object' && value !== null) pending.push(value);
  }
  return false;
}

/**
 * Copies a Patient or Person without addresses, telephone numbers and contacts, and without the narrative, which repeats
 * them. The same goes for what it contains, of which only that is left which the rest refers to (FHIR R4, invariant dom-3).
 */
export function withoutContact<T extends object>(person: T): T {
  const { contained, ...rest } = removeElements(person);
  const left = listReferenced(rest, toArray(contained));
  return (left.length === 0 ? rest : { ...rest, contained: left }) as T;
}

type Members = Record<string, unknown>;

/** What repeats contact data, and what FHIR has no form for. */
const NARRATIVE: ReadonlySet<string> = new Set(['text', '_text', '_contained']);

function removeElements(person: object): Members {
  const remaining = Object.entries(person).flatMap(([name, value]) => {
    if (isContactElement(name) || NARRATIVE.has(name)) return [];
    const left: unknown =
      name === 'contained'
        ? toArray(value).map((each) => removeElements(toElement(each) ?? {}))
        : removeExtensions(value, name);
    return left === undefined ? [] : [[name, left] as const];
  });
  return Object.fromEntries(remaining);
}

/** Removes extensions with addresses, and what is empty then; undefined where nothing is left that FHIR has a form for. */
function removeExtensions(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || isNumber(value)) return value;
  if (Array.isArray(value)) return removeFromList(value, name);
  if (isContactValue(value)) return undefined;
  const members = Object.entries(value);
  const remaining = members.flatMap(([key, inner]) => {
    const left = removeExtensions(inner, key);
    return left === undefined ? [] : [[key, left] as const];
  });
  if (remaining.length === members.length) return Object.fromEntries(remaining);
  return isEmpty(remaining, name) ? undefined : Object.fromEntries(remaining);
}

function removeFromList(list: readonly unknown[], name: string): unknown[] | undefined {
  const members = list.map((member) => removeExtensions(member, name));
  // What stands beside primitives has their positions.
  const remaining = name.startsWith('_')
    ? members.map((member) => member ?? null)
    : members.filter((member) => member !== undefined);
  return remaining.every((member) => member === null) && members.includes(undefined) ? undefined : remaining;
}

/** An extension needs a value or extensions of its own (invariant ext-1). */
const isEmpty = (members: readonly (readonly [string, unknown])[], name: string): boolean =>
  name === 'extension' || name === 'modifierExtension'
    ? !members.some(([key]) => key === 'extension' || /^_?value/.test(key))
    : members.every(([key]) => key === 'id');

/** A value of `JSON.rawJSON` has no prototype; a parsed one has. */
const isNumber = (value: object): boolean => Object.getPrototypeOf(value) === null;

/** Lists what of a resource's contained ones it refers to, itself or by another of them. */
function listReferenced(resource: Members, contained: readonly unknown[]): unknown[] {
  const left = new Set<unknown>();
  const pending: unknown[] = [resource];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const names = listFragments(next);
    for (const each of contained)
      if (!left.has(each) && names.has(`#${String(toElement(each)?.['id'])}`)) {
        left.add(each);
        pending.push(each);
      }
  }
  return contained.filter((each) => left.has(each));
}

/** The addresses within a resource that something in it has, "#o". */
function listFragments(root: unknown): ReadonlySet<string> {
  const found = new Set<string>();
  const pending: unknown[] = [root];
  for (let next = pending.pop(); next !== undefined; next = pending.pop())
    if (typeof next === 'string') {
      if (next.startsWith('#')) found.add(next);
    } else if (typeof next === 'object' && next !== null) pending.push(...(Object.values(next) as unknown[]));
  return found;
}
