import type { SourceMatching } from '../../contract/sources.ts';
import {
  aliasesIn,
  emailAgrees,
  hasIdentifier,
  isCandidate,
  nameAndBirthAgree,
  phoneAgrees,
  type Person,
} from './agreement.ts';
import type { Capabilities } from './capabilities.ts';
import { isUnder, jsonOf, type FhirClient } from './fhir-client.ts';
import { isObject, objects, text, type Json } from './json.ts';
import { SourceFault, type OtherCode } from './source-fault.ts';

/** Who a patient is at a server. */
export interface Matched {
  type: 'Patient' | 'Person';
  id: string;
  /** Other ids of theirs there. */
  aliases: string[];
  /** The Patient as the server sent it; absent of a Person. */
  bytes?: Buffer;
}

export type Match = Matched | { state: 'no_match' | 'ambiguous_match'; code: OtherCode };

export interface Asked {
  person: Person;
  /** What the organization calls them; one for each project that says so. */
  externalIds: readonly string[];
  isTestPatient: boolean;
  matching: SourceMatching;
}

interface Way {
  client: FhirClient;
  capabilities: Capabilities;
  maxBytes: number;
}

/** One patient for sure, or none: where anything is in doubt nothing is fetched. */
export async function matchPatient(way: Way, asked: Asked): Promise<Match> {
  const { matching } = asked;
  if (matching.by === 'id') return byId(way, asked.externalIds);
  if (matching.by === 'demographics') return byDemographics(way, asked, matching.requireEmail);
  const found = await byIdentifier(way, asked.externalIds, matching.system);
  const goOn = matching.by === 'identifier_then_demographics' && 'state' in found;
  if (!goOn || found.state === 'ambiguous_match') return found;
  return byDemographics(way, asked, matching.requireEmail);
}

const nobody = (code: OtherCode): Match => ({ state: 'no_match', code });
const several = (): Match => ({ state: 'ambiguous_match', code: 'several_found' });

/** The patient that was matched before, as they are there now; null: they are gone or were merged into another. */
export async function stillThere(way: Way, matched: Pick<Matched, 'type' | 'id'>): Promise<Matched | null> {
  const read = await readIfThere(way, `/${matched.type}/${matched.id}`);
  if (read === null || read.json['resourceType'] !== matched.type || read.json['id'] !== matched.id)
    return null;
  if (matched.type === 'Person') return { ...matched, aliases: [] };
  return isCandidate(read.json) ? { ...matched, aliases: aliasesIn(read.json), bytes: read.bytes } : null;
}

/** `Person` only where that is whose record the server gives. */
async function byId(way: Way, ids: readonly string[]): Promise<Match> {
  if (ids.length === 0) return nobody('no_external_id');
  const type = way.capabilities.everything === 'Person' ? 'Person' : 'Patient';
  const found: Matched[] = [];
  for (const id of ids.filter((each) => /^[A-Za-z0-9\-.]{1,64}$/.test(each))) {
    const matched = await stillThere(way, { type, id });
    if (matched) found.push(matched);
  }
  return theOne(found);
}

async function byIdentifier(way: Way, values: readonly string[], system: string): Promise<Match> {
  if (values.length === 0) return nobody('no_external_id');
  const found: Json[] = [];
  for (const value of values) {
    const query = new URLSearchParams({ identifier: `${token(system)}|${token(value)}`, _count: '10' });
    const candidates = await search(way, `/Patient?${query.toString()}`);
    // A server that does not know the parameter answers with everybody.
    found.push(...candidates.filter((patient) => hasIdentifier(patient, system, value)));
  }
  return readOne(way, found);
}

/** FHIR R4 §3.1.1.1.1.1 (escaping search parameters). */
const token = (value: string): string => value.replace(/[\\|,$]/g, '\\$&');

async function byDemographics(way: Way, asked: Asked, requireEmail: boolean): Promise<Match> {
  const { person, isTestPatient } = asked;
  if (person.dateOfBirth === null) return nobody('no_birth_date');
  const candidates = (await byOperation(way, person)) ?? (await bySearch(way, person));
  const agreeing = distinct(candidates).filter((patient) => nameAndBirthAgree(patient, person));
  const byEmail = agreeing.filter((patient) => emailAgrees(patient, person));
  // A name and a birth date may be anybody's who was enrolled under them; the address was confirmed by a mailed link.
  if (requireEmail && !isTestPatient)
    return agreeing.length > 0 && byEmail.length === 0 ? nobody('email_differs') : readOne(way, byEmail);
  if (byEmail.length > 0) return readOne(way, byEmail);
  const byPhone = agreeing.filter((patient) => phoneAgrees(patient, person));
  return readOne(way, byPhone.length > 0 ? byPhone : agreeing);
}

const MATCH_GRADE = 'http://hl7.org/fhir/StructureDefinition/match-grade';

/** `Patient/$match` (FHIR R4, Patient.operation.match); null where the server has none. */
async function byOperation(way: Way, person: Person): Promise<Json[] | null> {
  if (!way.capabilities.match) return null;
  const body = {
    resourceType: 'Parameters',
    parameter: [
      { name: 'resource', resource: asPatient(person) },
      { name: 'count', valueInteger: 10 },
      { name: 'onlyCertainMatches', valueBoolean: true },
    ],
  };
  try {
    const bundle = jsonOf(await way.client.post('/Patient/$match', body));
    return objects(bundle['entry'])
      .filter(isCertain)
      .map(({ resource }) => resource)
      .filter((resource) => isObject(resource))
      .filter(isCandidate);
  } catch (error) {
    if (error instanceof SourceFault && ['gone', 'rejected', 'forbidden'].includes(error.code)) return null;
    throw error;
  }
}

const asPatient = ({ firstName, lastName, dateOfBirth, email, phone }: Person): object => ({
  resourceType: 'Patient',
  name: [{ family: lastName, given: [firstName] }],
  birthDate: dateOfBirth,
  telecom: [
    { system: 'email', value: email },
    ...(phone === null ? [] : [{ system: 'phone', value: phone }]),
  ],
});

/** The server's own grade; one that gives none was asked for certain ones only. */
function isCertain({ search }: Json): boolean {
  const grades = isObject(search)
    ? objects(search['extension']).filter(({ url }) => url === MATCH_GRADE)
    : [];
  return grades.every(({ valueCode }) => valueCode === 'certain');
}

function bySearch(way: Way, { firstName, lastName, dateOfBirth }: Person): Promise<Json[]> {
  const query = new URLSearchParams({
    family: token(lastName),
    given: token(firstName),
    birthdate: dateOfBirth ?? '',
    _count: '50',
  });
  return search(way, `/Patient?${query.toString()}`);
}

const MOST_PAGES = 5;

/** Every Patient found; throws `endless_paging` where there are pages and pages of them: nobody is sure then. */
async function search({ client, maxBytes }: Way, path: string): Promise<Json[]> {
  const found: Json[] = [];
  let url = path;
  for (let page = 0; page < MOST_PAGES; page++) {
    const bundle = jsonOf(await client.get(url, maxBytes));
    if (bundle['resourceType'] !== 'Bundle') throw new SourceFault('not_fhir');
    for (const { resource } of objects(bundle['entry']))
      if (isObject(resource) && isCandidate(resource)) found.push(resource);
    const next = text(objects(bundle['link']).find(({ relation }) => relation === 'next')?.['url']);
    if (next === null) return found;
    url = URL.parse(next, `${client.base}/`)?.href ?? '';
    if (!isUnder(client.base, url)) throw new SourceFault('paging_elsewhere');
  }
  throw new SourceFault('endless_paging');
}

const distinct = (patients: readonly Json[]): Json[] => [
  ...new Map(patients.map((patient) => [patient['id'], patient])).values(),
];

/** The one that was found, read anew: a search may show a part of it. */
async function readOne(way: Way, found: readonly Json[]): Promise<Match> {
  const [only, other] = distinct(found);
  if (only === undefined) return nobody('nobody_found');
  if (other !== undefined) return several();
  const id = text(only['id']) ?? '';
  const matched = /^[A-Za-z0-9\-.]{1,64}$/.test(id) ? await stillThere(way, { type: 'Patient', id }) : null;
  return matched ?? nobody('nobody_found');
}

function theOne(found: readonly Matched[]): Match {
  const [only, other] = found;
  if (only === undefined) return nobody('nobody_found');
  return other === undefined ? only : several();
}

async function readIfThere(
  { client, maxBytes }: Way,
  path: string,
): Promise<{ json: Json; bytes: Buffer } | null> {
  try {
    const answer = await client.get(path, maxBytes);
    return { json: jsonOf(answer), bytes: answer.body };
  } catch (error) {
    if (error instanceof SourceFault && error.code === 'gone') return null;
    throw error;
  }
}
