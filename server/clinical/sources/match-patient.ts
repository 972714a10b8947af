import type { SourceMatching } from '../../../contract/organization/sources.ts';
import {
  listAliases,
  hasSameEmail,
  hasIdentifier,
  isCandidate,
  hasSameNameAndBirthDate,
  hasSamePhone,
  type Demographics,
} from './demographic-match.ts';
import type { Capabilities } from './capabilities.ts';
import { isUnderBase, parseJsonBody, type FhirClient } from './fhir-client.ts';
import { isObject, readObjects, readString, type JsonObject } from './json.ts';
import { SourceFault, type OutcomeCode } from './source-fault.ts';

/** A patient as a server knows them. */
export interface MatchedPatient {
  type: 'Patient' | 'Person';
  id: string;
  /** Their other ids at the server. */
  aliases: string[];
  /** The Patient as the server sent it; absent for a Person. */
  bytes?: Buffer;
}

export type MatchResult = MatchedPatient | { state: 'no_match' | 'ambiguous_match'; code: OutcomeCode };

export interface MatchQuery {
  demographics: Demographics;
  /** The external ids of the organization's enrollments, each once. */
  externalIds: readonly string[];
  isTestPatient: boolean;
  matching: SourceMatching;
}

interface MatchContext {
  client: FhirClient;
  capabilities: Capabilities;
  maxBytes: number;
}

/** Matches one patient with certainty, or none: in doubt nothing is fetched. */
export async function matchPatient(context: MatchContext, matchQuery: MatchQuery): Promise<MatchResult> {
  const { matching } = matchQuery;
  if (matching.by === 'id') return matchById(context, matchQuery.externalIds);
  if (matching.by === 'demographics') return matchByDemographics(context, matchQuery, matching.requireEmail);
  const found = await matchByIdentifier(context, matchQuery.externalIds, matching.system);
  const shouldTryDemographics = matching.by === 'identifier_then_demographics' && 'state' in found;
  if (!shouldTryDemographics || found.state === 'ambiguous_match') return found;
  return matchByDemographics(context, matchQuery, matching.requireEmail);
}

const createNoMatch = (code: OutcomeCode): MatchResult => ({ state: 'no_match', code });
const createAmbiguousMatch = (): MatchResult => ({ state: 'ambiguous_match', code: 'several_found' });

/** Reads the patient that was matched before; returns null when they are gone or were merged into another. */
export async function readMatchedPatient(
  context: MatchContext,
  matched: Pick<MatchedPatient, 'type' | 'id'>,
): Promise<MatchedPatient | null> {
  const read = await readIfExists(context, `/${matched.type}/${matched.id}`);
  if (read === null || read.json['resourceType'] !== matched.type || read.json['id'] !== matched.id)
    return null;
  if (matched.type === 'Person') return { ...matched, aliases: [] };
  return isCandidate(read.json) ? { ...matched, aliases: listAliases(read.json), bytes: read.bytes } : null;
}

/** Matches by id; a `Person` only where the server has `Person/$everything`. */
async function matchById(context: MatchContext, ids: readonly string[]): Promise<MatchResult> {
  if (ids.length === 0) return createNoMatch('no_external_id');
  const type = context.capabilities.everything === 'Person' ? 'Person' : 'Patient';
  const found: MatchedPatient[] = [];
  for (const id of ids.filter((each) => /^[A-Za-z0-9\-.]{1,64}$/.test(each))) {
    const matched = await readMatchedPatient(context, { type, id });
    if (matched) found.push(matched);
  }
  return toMatchResult(found);
}

async function matchByIdentifier(
  context: MatchContext,
  values: readonly string[],
  system: string,
): Promise<MatchResult> {
  if (values.length === 0) return createNoMatch('no_external_id');
  const found: JsonObject[] = [];
  for (const value of values) {
    const query = new URLSearchParams({
      identifier: `${escapeToken(system)}|${escapeToken(value)}`,
      _count: '10',
    });
    const candidates = await searchPatients(context, `/Patient?${query.toString()}`);
    // A server that does not know the parameter returns every patient.
    found.push(...candidates.filter((patient) => hasIdentifier(patient, system, value)));
  }
  return readSingleMatch(context, found);
}

/** FHIR R4 §3.1.1.1.1.1 (escaping search parameters). */
const escapeToken = (value: string): string => value.replace(/[\\|,$]/g, '\\$&');

async function matchByDemographics(
  context: MatchContext,
  matchQuery: MatchQuery,
  requireEmail: boolean,
): Promise<MatchResult> {
  const { demographics, isTestPatient } = matchQuery;
  if (demographics.dateOfBirth === null) return createNoMatch('no_birth_date');
  const candidates =
    (await callMatchOperation(context, demographics)) ?? (await searchByDemographics(context, demographics));
  const matches = removeDuplicates(candidates).filter((patient) =>
    hasSameNameAndBirthDate(patient, demographics),
  );
  const byEmail = matches.filter((patient) => hasSameEmail(patient, demographics));
  // An organization may enroll anybody under a name and a birth date; the e-mail address was confirmed by a mailed link.
  if (requireEmail && !isTestPatient)
    return matches.length > 0 && byEmail.length === 0
      ? createNoMatch('email_differs')
      : readSingleMatch(context, byEmail);
  if (byEmail.length > 0) return readSingleMatch(context, byEmail);
  const byPhone = matches.filter((patient) => hasSamePhone(patient, demographics));
  return readSingleMatch(context, byPhone.length > 0 ? byPhone : matches);
}

const MATCH_GRADE = 'http://hl7.org/fhir/StructureDefinition/match-grade';

/** Calls `Patient/$match` (FHIR R4, Patient.operation.match); returns null where the server has none. */
async function callMatchOperation(
  context: MatchContext,
  demographics: Demographics,
): Promise<JsonObject[] | null> {
  if (!context.capabilities.match) return null;
  const body = {
    resourceType: 'Parameters',
    parameter: [
      { name: 'resource', resource: buildPatient(demographics) },
      { name: 'count', valueInteger: 10 },
      { name: 'onlyCertainMatches', valueBoolean: true },
    ],
  };
  try {
    const bundle = parseJsonBody(await context.client.post('/Patient/$match', body));
    return readObjects(bundle['entry'])
      .filter(isCertain)
      .map(({ resource }) => resource)
      .filter((resource) => isObject(resource))
      .filter(isCandidate);
  } catch (error) {
    if (error instanceof SourceFault && ['gone', 'rejected', 'forbidden'].includes(error.code)) return null;
    throw error;
  }
}

const buildPatient = ({ firstName, lastName, dateOfBirth, email, phone }: Demographics): object => ({
  resourceType: 'Patient',
  name: [{ family: lastName, given: [firstName] }],
  birthDate: dateOfBirth,
  telecom: [
    { system: 'email', value: email },
    ...(phone === null ? [] : [{ system: 'phone', value: phone }]),
  ],
});

/** Checks the server's match grade; without one, `onlyCertainMatches` applies. */
function isCertain({ search }: JsonObject): boolean {
  const grades = isObject(search)
    ? readObjects(search['extension']).filter(({ url }) => url === MATCH_GRADE)
    : [];
  return grades.every(({ valueCode }) => valueCode === 'certain');
}

function searchByDemographics(
  context: MatchContext,
  { firstName, lastName, dateOfBirth }: Demographics,
): Promise<JsonObject[]> {
  const query = new URLSearchParams({
    family: escapeToken(lastName),
    given: escapeToken(firstName),
    birthdate: dateOfBirth ?? '',
    _count: '50',
  });
  return searchPatients(context, `/Patient?${query.toString()}`);
}

const MAX_PAGES = 5;

/** Searches patients; throws `endless_paging` beyond `MAX_PAGES`, since no match is certain then. */
async function searchPatients({ client, maxBytes }: MatchContext, path: string): Promise<JsonObject[]> {
  const found: JsonObject[] = [];
  let url = path;
  for (let page = 0; page < MAX_PAGES; page++) {
    const bundle = parseJsonBody(await client.get(url, maxBytes));
    if (bundle['resourceType'] !== 'Bundle') throw new SourceFault('not_fhir');
    for (const { resource } of readObjects(bundle['entry']))
      if (isObject(resource) && isCandidate(resource)) found.push(resource);
    const next = readString(readObjects(bundle['link']).find(({ relation }) => relation === 'next')?.['url']);
    if (next === null) return found;
    url = URL.parse(next, `${client.base}/`)?.href ?? '';
    if (!isUnderBase(client.base, url)) throw new SourceFault('paging_elsewhere');
  }
  throw new SourceFault('endless_paging');
}

const removeDuplicates = (patients: readonly JsonObject[]): JsonObject[] => [
  ...new Map(patients.map((patient) => [patient['id'], patient])).values(),
];

/** Reads the only patient that was found: a search may return a part of the resource. */
async function readSingleMatch(context: MatchContext, found: readonly JsonObject[]): Promise<MatchResult> {
  const [only, other] = removeDuplicates(found);
  if (only === undefined) return createNoMatch('nobody_found');
  if (other !== undefined) return createAmbiguousMatch();
  const id = readString(only['id']) ?? '';
  const matched = /^[A-Za-z0-9\-.]{1,64}$/.test(id)
    ? await readMatchedPatient(context, { type: 'Patient', id })
    : null;
  return matched ?? createNoMatch('nobody_found');
}

function toMatchResult(found: readonly MatchedPatient[]): MatchResult {
  const [only, other] = found;
  if (only === undefined) return createNoMatch('nobody_found');
  return other === undefined ? only : createAmbiguousMatch();
}

async function readIfExists(
  { client, maxBytes }: MatchContext,
  path: string,
): Promise<{ json: JsonObject; bytes: Buffer } | null> {
  try {
    const response = await client.get(path, maxBytes);
    return { json: parseJsonBody(response), bytes: response.body };
  } catch (error) {
    if (error instanceof SourceFault && error.code === 'gone') return null;
    throw error;
  }
}
