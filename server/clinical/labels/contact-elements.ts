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

/** The data types of words, in which an extension may say anything. */
const WORDS = ['valueString', 'valueMarkdown', 'valueAnnotation'];

const isExtension = (name: string): boolean => name === 'extension' || name === 'modifierExtension';

/**
 * Extensions whose words are published to be of something else: those of US Core and Argonaut, FHIR's own of a patient, of who
 * somebody is and of names, and those that say of an element what it was before, or why there is none.
 */
const OF_OTHERS = new RegExp(
  `^https?://(?:${[
    'hl7\\.org/fhir/us/core/StructureDefinition/us-core-[\\w-]+',
    'hl7\\.org/fhir/StructureDefinition/(?:us-core|patient|individual|humanname|iso21090-EN)-[\\w-]+',
    'hl7\\.org/fhir/StructureDefinition/(?:data-absent-reason|originalText|rendered-value|translation)',
    'fhir\\.org/guides/argonaut/StructureDefinition/argo-[\\w-]+',
  ].join('|')})(?:\\|.{0,100})?$`,
);

/** Whether the words of an extension are published to be no contact data; a part of one has a name of that one's. */
function isOfOther(value: object, isPart: boolean): boolean {
  const url = (value as Members)['url'];
  return typeof url === 'string' && (OF_OTHERS.test(url) || (isPart && !url.includes(':')));
}

/** Whether an extension says in words what nobody here knows: where a neighbour lives, or at which number somebody is called. */
const hasUnknownWords = (value: object, isOther: boolean): boolean =>
  !isOther && WORDS.some((name) => Object.hasOwn(value, name));

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

/** An element, its name, and whether it is in an extension whose words are of something else. */
interface Frame {
  node: object;
  name: string;
  isOther: boolean;
}

/** True where a Patient or Person says how to reach somebody, in elements or in an extension at any depth. */
export function hasContact(person: object): boolean {
  if (Object.keys(person).some(isContactElement)) return true;
  const pending: Frame[] = [{ node: person, name: '', isOther: false }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, name } = next;
    const isList = Array.isArray(node);
    const isOther = isExtension(name) && !isList ? isOfOther(node, next.isOther) : next.isOther;
    if (isContactValue(node) || (isExtension(name) && !isList && hasUnknownWords(node, isOther))) return true;
    for (const [key, value] of Object.entries(node) as [string, unknown][])
      if (typeof value === 'object' && value !== null)
        pending.push({ node: value, name: isList ? name : key, isOther });
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

/**
 * Removes extensions with addresses or with words that nobody knows, and what is empty then; undefined where nothing is left that FHIR
 * has a form for.
 */
function removeExtensions(value: unknown, name: string, isWithinOther = false): unknown {
  if (typeof value !== 'object' || value === null || isNumber(value)) return value;
  if (Array.isArray(value)) return removeFromList(value, name, isWithinOther);
  const isOther = isExtension(name) ? isOfOther(value, isWithinOther) : isWithinOther;
  if (isContactValue(value) || (isExtension(name) && hasUnknownWords(value, isOther))) return undefined;
  const members = Object.entries(value);
  const remaining = members.flatMap(([key, inner]) => {
    const left = removeExtensions(inner, key, isOther);
    return left === undefined ? [] : [[key, left] as const];
  });
  if (remaining.length === members.length) return Object.fromEntries(remaining);
  return isEmpty(remaining, name) ? undefined : Object.fromEntries(remaining);
}

function removeFromList(
  list: readonly unknown[],
  name: string,
  isWithinOther: boolean,
): unknown[] | undefined {
  const members = list.map((member) => removeExtensions(member, name, isWithinOther));
  // What stands beside primitives has their positions.
  const remaining = name.startsWith('_')
    ? members.map((member) => member ?? null)
    : members.filter((member) => member !== undefined);
  return remaining.every((member) => member === null) && members.includes(undefined) ? undefined : remaining;
}

/** An extension needs a value or extensions of its own (invariant ext-1). */
const isEmpty = (members: readonly (readonly [string, unknown])[], name: string): boolean =>
  isExtension(name)
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
