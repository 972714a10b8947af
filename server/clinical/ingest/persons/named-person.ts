import { findNameLines } from './name-lines.ts';
import { readParts, readText, type NameReading } from './name-reading.ts';

export interface PersonName {
  /** As people read it. */
  text: string;
  readings: readonly NameReading[];
}

/** What a document says of who somebody is. */
export interface NamedPerson {
  names: readonly PersonName[];
  /** YYYY, YYYY-MM or YYYY-MM-DD. */
  birthDate: string | null;
  /** Null for other values of `gender`, which contradict nothing. */
  sex: 'male' | 'female' | null;
}

type JsonObject = Readonly<Record<string, unknown>>;

/** The types of resources that say whose record it is; our own archives have a Person. */
export const PERSON_TYPES = ['Patient', 'Person'] as const;

/** Reads the persons of whom a resource is, or whom it holds: contained, in Parameters, at any depth. */
export function readPersons(resource: object): NamedPerson[] {
  const persons: NamedPerson[] = [];
  const pending: object[] = [resource];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (isObject(node) && (PERSON_TYPES as readonly unknown[]).includes(node['resourceType']))
      persons.push(readPerson(node));
    for (const value of Object.values(node) as unknown[])
      if (typeof value === 'object' && value !== null) pending.push(value);
  }
  return persons;
}

/** Reads the persons whom a text names as its patient (PDF, RTF, HTML, plain). */
export const readNamedInText = (text: string): NamedPerson[] =>
  findNameLines(text).flatMap(({ name, birthDate }) => {
    const readings = readText(name);
    return readings.length === 0
      ? []
      : [{ names: [{ text: cleanText(name), readings }], birthDate, sex: null }];
  });

const MAX_NAMES = 10;

const readPerson = ({ name, birthDate, gender }: JsonObject): NamedPerson => ({
  names: (Array.isArray(name) ? name.slice(0, MAX_NAMES) : []).filter(isObject).flatMap(readHumanName),
  birthDate:
    (typeof birthDate === 'string' ? /^\d{4}(?:-\d\d(?:-\d\d)?)?/.exec(birthDate)?.[0] : null) ?? null,
  sex: gender === 'male' || gender === 'female' ? gender : null,
});

/** Reads a HumanName of any `use`: a maiden name and a nickname are names of the person too. */
function readHumanName({ use, text, given, family, suffix }: JsonObject): PersonName[] {
  if (use === 'anonymous') return [];
  const parts = { given: joinStrings(given), family: joinStrings(family), suffix: joinStrings(suffix) };
  const reading = readParts(parts);
  if (reading !== null)
    return [{ text: cleanText(`${parts.given} ${parts.family} ${parts.suffix}`), readings: [reading] }];
  if (typeof text !== 'string') return [];
  const readings = readText(text);
  return readings.length === 0 ? [] : [{ text: cleanText(text), readings }];
}

/** Reads the name of an account; none where it says nothing. */
export function readAccountName(account: { firstName: string; lastName: string }): PersonName[] {
  const { firstName, lastName } = account;
  const reading = readParts({ given: firstName, family: lastName });
  return reading === null ? [] : [{ text: cleanText(`${firstName} ${lastName}`), readings: [reading] }];
}

const joinStrings = (value: unknown): string =>
  (Array.isArray(value) ? value : [value]).filter((each) => typeof each === 'string').join(' ');

const MAX_CHARACTERS = 120;

/**
 * Takes out what is not seen or changes the direction, and shortens what is too long for a name. Joiners are seen: by the letters
 * of a Persian name beside them, and by the one emoji that they make of several.
 */
export function cleanText(text: string): string {
  const clean = text
    .slice(0, 2 * MAX_CHARACTERS)
    .replace(/(?:(?![\u200c\u200d])[\p{C}\s])+/gu, ' ')
    .trim();
  const letters = Array.from(clean);
  return letters.length > MAX_CHARACTERS ? `${letters.slice(0, MAX_CHARACTERS).join('')} …` : clean;
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
