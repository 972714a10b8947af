import { mayBeSameName } from '../ingest/persons/compare-names.ts';
import { readPersons, type NamedPerson } from '../ingest/persons/named-person.ts';
import { readText } from '../ingest/persons/name-reading.ts';
import { parseAbsolute } from '../store/identity.ts';
import { contradictsBirthDate } from './demographic-match.ts';
import { isObject, readObjects, readString, type JsonObject } from './json.ts';

/** The patient whose record a server should send, as it knows them. */
export interface OwnPatient {
  /** Base address of the server, under which its own references are. */
  base: string;
  id: string;
  aliases: readonly string[];
  /** `system|value` of each of the Patient's identifiers. */
  identifiers: readonly string[];
  names: NamedPerson['names'];
  /** Another Patient of the record must not have another. */
  birthDate: string | null;
  /** Addresses outside of the base by which the server's pages have named the patient so far. */
  otherNames: readonly string[];
}

/** Describes a matched Patient, or a Person, of whom the ids alone are known. */
export const describePatient = (
  base: string,
  { id, aliases, resource }: { id: string; aliases: readonly string[]; resource: JsonObject },
): OwnPatient => ({
  base,
  id,
  aliases,
  identifiers: listIdentifiers(resource),
  names: readPersons(resource)[0]?.names ?? [],
  birthDate: readString(resource['birthDate']),
  otherNames: [],
});

/**
 * Whose a reference is: the patient's, somebody else's, or no person's (a device). What is named by an address that only an
 * entry of the page can explain is that address.
 */
export type Owner = 'own' | 'other' | 'nobody' | { name: string };

/** Types whose resources are a record's own subject: what is about one of them is of no patient. */
const PEOPLE: ReadonlySet<string> = new Set(['Patient', 'Person', 'Group']);

const RELATIVE = /^([A-Z][A-Za-z]{1,40})\/([A-Za-z0-9\-.]{1,64})(?:\/_history\/[A-Za-z0-9\-.]{1,64})?$/;
const HISTORY = /\/_history\/[A-Za-z0-9\-.]{1,64}$/;

interface OwnerContext {
  own: OwnPatient;
  /** The resource that makes the reference. */
  resource: JsonObject;
  /** The element may name others beside patients: without a type it says nothing of whom. */
  mayBeOthers: boolean;
}

/**
 * Says whose a reference is. What cannot be read as the patient's own is somebody else's: a record that is mixed up is worse
 * than one that is not there.
 */
export function findOwner(element: JsonObject, context: OwnerContext): Owner {
  const { reference, identifier, display, type } = element;
  if (reference !== undefined && reference !== null) return findByReference(reference, context);
  if (typeof type === 'string' && !PEOPLE.has(type)) return 'nobody';
  if (context.mayBeOthers && type === undefined) return 'nobody';
  const name = readString(display);
  if (!isObject(identifier)) return name === null ? 'nobody' : findByName(name, context.own);
  const token = formatToken(identifier);
  if (context.own.identifiers.includes(token)) return 'own';
  const system = token.slice(0, token.indexOf('|') + 1);
  const isContradicted = context.own.identifiers.some((known) => known.startsWith(system));
  return name === null || isContradicted ? 'other' : findByName(name, context.own);
}

function findByReference(reference: unknown, context: OwnerContext): Owner {
  const { own, resource, mayBeOthers } = context;
  if (typeof reference !== 'string') return 'other';
  if (reference.startsWith('#')) return findContained(reference.slice(1), { own, resource });
  const [, type, id] = RELATIVE.exec(reference) ?? [];
  if (type !== undefined && id !== undefined) return findById(type, id, own);
  if (/^urn:/i.test(reference)) return { name: reference.toLowerCase() };
  const absolute = parseAbsolute(reference);
  if (absolute) {
    if (isSameBase(own.base, absolute.base)) return findById(absolute.type, absolute.id, own);
    return PEOPLE.has(absolute.type) ? { name: reference.replace(HISTORY, '') } : 'nobody';
  }
  const token = /^Patient\?identifier=([^&]+)$/.exec(reference)?.[1];
  if (token !== undefined && own.identifiers.includes(decode(token))) return 'own';
  return mayBeOthers && !/patient|person/i.test(reference) ? 'nobody' : 'other';
}

const findById = (type: string, id: string, own: OwnPatient): Owner => {
  if (type === 'Patient') return isOwnId(id, own) ? 'own' : 'other';
  return PEOPLE.has(type) ? 'other' : 'nobody';
};

/** Returns the id of a Patient of the server that a reference names; null for one elsewhere, or of another type. */
export function parsePatientId(reference: string, base: string): string | null {
  const [, type, id] = RELATIVE.exec(reference) ?? [];
  if (type !== undefined && id !== undefined) return type === 'Patient' ? id : null;
  const absolute = parseAbsolute(reference);
  return absolute?.type === 'Patient' && isSameBase(base, absolute.base) ? absolute.id : null;
}

/** Lists other ids of the same patient at the server, by the links of the matched Patient; references may use them. */
export const listAliases = (patient: JsonObject, base: string): string[] =>
  readObjects(patient['link']).flatMap(({ type, other }) => {
    const reference = isObject(other) ? readString(other['reference']) : null;
    const id = reference === null ? null : parsePatientId(reference, base);
    return id !== null && (type === 'replaces' || type === 'seealso') ? [id] : [];
  });

export const isOwnId = (id: string, own: OwnPatient): boolean => id === own.id || own.aliases.includes(id);

function findContained(id: string, { own, resource }: Pick<OwnerContext, 'own' | 'resource'>): Owner {
  const contained = readObjects(resource['contained']).find((each) => each['id'] === id);
  if (contained === undefined) return 'other';
  if (contained['resourceType'] !== 'Patient')
    return PEOPLE.has(String(contained['resourceType'])) ? 'other' : 'nobody';
  if (listIdentifiers(contained).some((token) => own.identifiers.includes(token))) return 'own';
  if (contradictsBirthDate(contained, { dateOfBirth: own.birthDate })) return 'other';
  return hasOwnName(readPersons(contained)[0]?.names ?? [], own) ? 'own' : 'other';
}

const findByName = (name: string, own: OwnPatient): Owner =>
  hasOwnName([{ text: name, readings: readText(name) }], own) ? 'own' : 'other';

const hasOwnName = (names: NamedPerson['names'], own: OwnPatient): boolean =>
  names.some(({ readings }) =>
    readings.some((reading) =>
      own.names.some((known) => known.readings.some((theirs) => mayBeSameName(reading, theirs))),
    ),
  );

const listIdentifiers = (resource: JsonObject): string[] =>
  readObjects(resource['identifier']).flatMap((identifier) =>
    readString(identifier['value']) === null ? [] : formatToken(identifier),
  );

const formatToken = ({ system, value }: JsonObject): string =>
  `${readString(system) ?? ''}|${readString(value) ?? ''}`;

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Says whether two addresses are of one server: behind a proxy it often writes `http` for the `https` it is reached by. */
export function isSameBase(one: string, other: string): boolean {
  const [left, right] = [URL.parse(one), URL.parse(other)];
  if (left === null || right === null || left.host !== right.host) return false;
  return left.pathname.replace(/\/$/, '') === right.pathname.replace(/\/$/, '');
}
