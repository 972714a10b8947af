import { isObject, readObjects, readString, readStrings, type JsonObject } from './json.ts';

/** Our patient, as they are looked for. */
export interface Demographics {
  firstName: string;
  lastName: string;
  /** YYYY-MM-DD */
  dateOfBirth: string | null;
  email: string;
  phone: string | null;
}

/** A Patient of the server that may be looked at further; one that was merged into another is not. */
export const isCandidate = (patient: JsonObject): boolean =>
  patient['resourceType'] === 'Patient' &&
  readString(patient['id']) !== null &&
  !readObjects(patient['link']).some(({ type }) => type === 'replaced-by');

export const hasIdentifier = (patient: JsonObject, system: string, value: string): boolean =>
  readObjects(patient['identifier']).some((each) => each['system'] === system && each['value'] === value);

/** The same day of birth, to the day, and one of the names they go or went by. */
export function hasSameNameAndBirthDate(patient: JsonObject, demographics: Demographics): boolean {
  if (demographics.dateOfBirth === null || patient['birthDate'] !== demographics.dateOfBirth) return false;
  return readObjects(patient['name']).some((name) => isSameName(name, demographics));
}

/** The family name, and the first given name: middle names are often known to one side alone. */
function isSameName(name: JsonObject, { firstName, lastName }: Demographics): boolean {
  const family = normalizeName(readString(name['family']) ?? '');
  const given = readStrings(name['given']).map(normalizeName).join(' ');
  const [expected, first] = [normalizeName(firstName), given.split(' ')[0]];
  if (family === '' || family !== normalizeName(lastName)) return false;
  return expected !== '' && (given === expected || first === expected.split(' ')[0]);
}

/** Without case, accents, hyphens and apostrophes, which systems write each their own way. */
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

/** The last nine digits: one side writes the country's prefix and the other does not. Fewer tell nobody apart. */
function normalizePhone(phone: string): string {
  const digits = phone.replace(/\D/g, '');
  return digits.length < 7 ? '' : digits.slice(-9);
}

/** Other ids of the same patient there, which its references may use: the matched Patient says so itself. */
export const listAliases = (patient: JsonObject): string[] =>
  readObjects(patient['link']).flatMap(({ type, other }) => {
    const reference = isObject(other) ? readString(other['reference']) : null;
    const id = /(?:^|\/)Patient\/([A-Za-z0-9\-.]{1,64})$/.exec(reference ?? '')?.[1];
    return id !== undefined && (type === 'replaces' || type === 'seealso') ? [id] : [];
  });
