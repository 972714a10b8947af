import { readObjects, readString, readStrings, type JsonObject } from './json.ts';

/** The patient to match. */
export interface Demographics {
  firstName: string;
  lastName: string;
  /** YYYY-MM-DD */
  dateOfBirth: string | null;
  email: string;
  phone: string | null;
}

/** True for a Patient of the server that may match; one that was merged into another may not. */
export const isCandidate = (patient: JsonObject): boolean =>
  patient['resourceType'] === 'Patient' &&
  readString(patient['id']) !== null &&
  !readObjects(patient['link']).some(({ type }) => type === 'replaced-by');

export const hasIdentifier = (patient: JsonObject, system: string, value: string): boolean =>
  readObjects(patient['identifier']).some((each) => each['system'] === system && each['value'] === value);

/** Compares the full date of birth and all names, former ones included. */
export function hasSameNameAndBirthDate(patient: JsonObject, demographics: Demographics): boolean {
  if (demographics.dateOfBirth === null || patient['birthDate'] !== demographics.dateOfBirth) return false;
  return readObjects(patient['name']).some((name) => isSameName(name, demographics));
}

/** Says whether both have a birth date and they differ, as precisely as both state it. */
export function contradictsBirthDate(
  patient: JsonObject,
  { dateOfBirth }: Pick<Demographics, 'dateOfBirth'>,
): boolean {
  const known = readString(patient['birthDate']);
  if (known === null || dateOfBirth === null) return false;
  const length = Math.min(known.length, dateOfBirth.length);
  return known.slice(0, length) !== dateOfBirth.slice(0, length);
}

/** Compares the family name with all names, former ones included. */
export function hasSameFamilyName(patient: JsonObject, { lastName }: Demographics): boolean {
  const expected = normalizeName(lastName);
  return (
    expected !== '' &&
    readObjects(patient['name']).some((name) => normalizeName(readString(name['family']) ?? '') === expected)
  );
}

/** Compares the family name and the first given name: middle names are often known to one side only. */
function isSameName(name: JsonObject, { firstName, lastName }: Demographics): boolean {
  const family = normalizeName(readString(name['family']) ?? '');
  const given = readStrings(name['given']).map(normalizeName).join(' ');
  const [expected, first] = [normalizeName(firstName), given.split(' ')[0]];
  if (family === '' || family !== normalizeName(lastName)) return false;
  return expected !== '' && (given === expected || first === expected.split(' ')[0]);
}

/** Removes case, accents, hyphens and apostrophes, in which systems differ. */
const normalizeName = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[\p{M}'’ʼ`.]/gu, '')
    .replace(/[\s\-‐‑]+/gu, ' ')
    .trim()
    .toLowerCase();

export const hasSameEmail = (patient: JsonObject, { email }: Demographics): boolean =>
  listTelecom(patient, ['email']).some((known) => known.trim().toLowerCase() === email.toLowerCase());

export function hasSamePhone(patient: JsonObject, { phone }: Demographics): boolean {
  const number = normalizePhone(phone ?? '');
  return (
    number !== '' && listTelecom(patient, ['phone', 'sms']).some((known) => normalizePhone(known) === number)
  );
}

const listTelecom = (patient: JsonObject, systems: readonly string[]): string[] =>
  readObjects(patient['telecom'])
    .filter(({ system }) => systems.includes(readString(system) ?? ''))
    .flatMap(({ value }) => readString(value) ?? []);

/** Returns the last nine digits, since country prefixes may be missing; fewer than seven digits distinguish nobody. */
function normalizePhone(phone: string): string {
  const digits = phone.replace(/\D/g, '');
  return digits.length < 7 ? '' : digits.slice(-9);
}
