import type { ResourceScope } from '../../../contract/data-categories.ts';

/** The categories that a consent covers to show how to reach a person. */
export const CONTACT_CATEGORIES = ['DEMOGRAPHICS', 'CONTACT_INFO'] as const satisfies ResourceScope[];

/** The elements that say how to reach a Patient; the narrative repeats them. */
const CONTACT_ELEMENTS = new Set(['telecom', 'address', 'contact', 'text', 'contained']);

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/**
 * Removes addresses and telephone numbers from a Patient, for readers who may see who it is but not how to reach them.
 * The result is serialized anew, with every number as it was written.
 */
export function removeContact(body: string): string {
  const patient = JSON.parse(body, preserveNumber as (key: string, value: unknown) => unknown) as Record<
    string,
    Json
  >;
  const remaining = Object.entries(patient).filter(([name]) => !CONTACT_ELEMENTS.has(name.replace(/^_/, '')));
  return JSON.stringify(removeContactExtensions(Object.fromEntries(remaining)));
}

const preserveNumber = (_key: string, value: unknown, { source }: { source?: string }): unknown =>
  typeof value === 'number' && source !== undefined ? JSON.rawJSON(source) : value;

const CONTACT_EXTENSIONS = ['valueAddress', 'valueContactPoint', 'valueContactDetail'];

/** Removes extensions with addresses. */
function removeContactExtensions(value: Json): Json {
  if (Array.isArray(value))
    return value.filter((item) => !isContactExtension(item)).map(removeContactExtensions);
  if (typeof value !== 'object' || value === null || isNumber(value)) return value;
  const remaining = Object.entries(value).map(
    ([name, inner]) => [name, removeContactExtensions(inner)] as const,
  );
  // FHIR knows no empty arrays.
  return Object.fromEntries(remaining.filter(([, inner]) => !(Array.isArray(inner) && inner.length === 0)));
}

/** A value of `JSON.rawJSON` has no prototype; a parsed one has. */
const isNumber = (value: object): boolean => Object.getPrototypeOf(value) === null;

const isContactExtension = (value: Json): boolean =>
  typeof value === 'object' &&
  value !== null &&
  CONTACT_EXTENSIONS.some((name) => Object.hasOwn(value, name));
