import { parseResource } from '../records/parse-resource.ts';

const BIRTH_DATE = /^\d{4}(-\d\d(-\d\d)?)?$/;

export function parsedBirthDate(body: string): string | null {
  const { birthDate } = parseResource(body) as { birthDate?: unknown };
  return typeof birthDate === 'string' && BIRTH_DATE.test(birthDate) ? birthDate : null;
}

/** Where a Patient can be reached; their narrative repeats it. */
const CONTACT = new Set(['telecom', 'address', 'contact', 'text', 'contained']);

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/**
 * A Patient without addresses and telephone numbers, for whoever may see who it is but not how to reach them. It is written
 * anew, with every number as it was.
 */
export function withoutContact(body: string): string {
  const patient = JSON.parse(body, asWritten as (key: string, value: unknown) => unknown) as Record<
    string,
    Json
  >;
  const kept = Object.entries(patient).filter(([name]) => !CONTACT.has(name.replace(/^_/, '')));
  return JSON.stringify(withoutPlaces(Object.fromEntries(kept)));
}

const asWritten = (_key: string, value: unknown, { source }: { source?: string }): unknown =>
  typeof value === 'number' && source !== undefined ? JSON.rawJSON(source) : value;

const PLACES = ['valueAddress', 'valueContactPoint', 'valueContactDetail'];

/** Extensions hold addresses as well. */
function withoutPlaces(value: Json): Json {
  if (Array.isArray(value)) return value.filter((item) => !holdsPlace(item)).map(withoutPlaces);
  if (typeof value !== 'object' || value === null || isNumber(value)) return value;
  const kept = Object.entries(value).map(([name, inner]) => [name, withoutPlaces(inner)] as const);
  // FHIR knows no empty arrays.
  return Object.fromEntries(kept.filter(([, inner]) => !(Array.isArray(inner) && inner.length === 0)));
}

/** What `JSON.rawJSON` makes has no prototype; what was parsed has one. */
const isNumber = (value: object): boolean => Object.getPrototypeOf(value) === null;

const holdsPlace = (value: Json): boolean =>
  typeof value === 'object' && value !== null && PLACES.some((name) => Object.hasOwn(value, name));
