import { parseResource } from '../../clinical/store/parse-resource.ts';

const BIRTH_DATE = /^\d{4}(-\d\d(-\d\d)?)?$/;

export function parseBirthDate(body: string): string | null {
  const { birthDate } = parseResource(body) as { birthDate?: unknown };
  return typeof birthDate === 'string' && BIRTH_DATE.test(birthDate) ? birthDate : null;
}

/** Where a Patient can be reached; their narrative repeats it. */
const CONTACT_ELEMENTS = new Set(['telecom', 'address', 'contact', 'text', 'contained']);

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/**
 * A Patient without addresses and telephone numbers, for whoever may see who it is but not how to reach them. It is written
 * anew, with every number as it was.
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

/** Extensions hold addresses as well. */
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

/** What `JSON.rawJSON` makes has no prototype; what was parsed has one. */
const isNumber = (value: object): boolean => Object.getPrototypeOf(value) === null;

const isContactExtension = (value: Json): boolean =>
  typeof value === 'object' &&
  value !== null &&
  CONTACT_EXTENSIONS.some((name) => Object.hasOwn(value, name));
