import { isObject, objects, text, texts, type Json } from './json.ts';

/** Our patient, as they are looked for. */
export interface Person {
  firstName: string;
  lastName: string;
  /** YYYY-MM-DD */
  dateOfBirth: string | null;
  email: string;
  phone: string | null;
}

/** A Patient of the server that may be looked at further; one that was merged into another is not. */
export const isCandidate = (patient: Json): boolean =>
  patient['resourceType'] === 'Patient' &&
  text(patient['id']) !== null &&
  !objects(patient['link']).some(({ type }) => type === 'replaced-by');

export const hasIdentifier = (patient: Json, system: string, value: string): boolean =>
  objects(patient['identifier']).some((each) => each['system'] === system && each['value'] === value);

/** The same day of birth, to the day, and one of the names they go or went by. */
export function nameAndBirthAgree(patient: Json, person: Person): boolean {
  if (person.dateOfBirth === null || patient['birthDate'] !== person.dateOfBirth) return false;
  return objects(patient['name']).some((name) => nameAgrees(name, person));
}

/** The family name, and the first given name: middle names are often known to one side alone. */
function nameAgrees(name: Json, { firstName, lastName }: Person): boolean {
  const family = folded(text(name['family']) ?? '');
  const given = texts(name['given']).map(folded).join(' ');
  const [asked, first] = [folded(firstName), given.split(' ')[0]];
  if (family === '' || family !== folded(lastName)) return false;
  return asked !== '' && (given === asked || first === asked.split(' ')[0]);
}

/** Without case, accents, hyphens and apostrophes, which systems write each their own way. */
const folded = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[\p{M}'’ʼ`.]/gu, '')
    .replace(/[\s\-‐‑]+/gu, ' ')
    .trim()
    .toLowerCase();

export const emailAgrees = (patient: Json, { email }: Person): boolean =>
  telecomOf(patient, ['email']).some((known) => known.trim().toLowerCase() === email.toLowerCase());

export function phoneAgrees(patient: Json, { phone }: Person): boolean {
  const number = digitsOf(phone ?? '');
  return number !== '' && telecomOf(patient, ['phone', 'sms']).some((known) => digitsOf(known) === number);
}

const telecomOf = (patient: Json, systems: readonly string[]): string[] =>
  objects(patient['telecom'])
    .filter(({ system }) => systems.includes(text(system) ?? ''))
    .flatMap(({ value }) => text(value) ?? []);

/** The last nine digits: one side writes the country's prefix and the other does not. Fewer tell nobody apart. */
function digitsOf(phone: string): string {
  const digits = phone.replace(/\D/g, '');
  return digits.length < 7 ? '' : digits.slice(-9);
}

/** Other ids of the same patient there, which its references may use: the matched Patient says so itself. */
export const aliasesIn = (patient: Json): string[] =>
  objects(patient['link']).flatMap(({ type, other }) => {
    const reference = isObject(other) ? text(other['reference']) : null;
    const id = /(?:^|\/)Patient\/([A-Za-z0-9\-.]{1,64})$/.exec(reference ?? '')?.[1];
    return id !== undefined && (type === 'replaces' || type === 'seealso') ? [id] : [];
  });
