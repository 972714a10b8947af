import {
  hasSameEmail,
  hasIdentifier,
  isCandidate,
  hasSameNameAndBirthDate,
  hasSamePhone,
  type Demographics,
} from './demographic-match.ts';
import { callMatchOperation } from './call-match-operation.ts';
import { confirmMatch, isStillNamed } from './confirm-match.ts';
import { isUnderBase, parseJsonBody } from './fhir-client.ts';
import type { MatchContext, MatchedPatient, MatchQuery, MatchResult } from './matched-patient.ts';
import { isObject, readObjects, readString, type JsonObject } from './json.ts';
import { listAliases } from './own-patient.ts';
import { SourceFault, type OutcomeCode } from './source-fault.ts';

/** Matches one patient with certainty, or none: in doubt nothing is fetched. */
export async function matchPatient(context: MatchContext, matchQuery: MatchQuery): Promise<MatchResult> {
  const found = await findMatch(context, matchQuery);
  return 'state' in found ? found : confirmMatch(found, matchQuery);
}

/** Confirms the match that was made before; returns null when the patient is to be matched anew. */
export async function reuseMatch(
  context: MatchContext,
  matched: Pick<MatchedPatient, 'type' | 'id'>,
  matchQuery: MatchQuery,
): Promise<MatchResult | null> {
  const known = await readMatchedPatient(context, matched);
  return known && isStillNamed(known, matchQuery) ? confirmMatch(known, matchQuery) : null;
}

async function findMatch(context: MatchContext, matchQuery: MatchQuery): Promise<MatchResult> {
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

/** Reads a patient by id; returns null when they are gone or were merged into another. */
async function readMatchedPatient(
  context: MatchContext,
  matched: Pick<MatchedPatient, 'type' | 'id'>,
): Promise<MatchedPatient | null> {
  const read = await readIfExists(context, `/${matched.type}/${matched.id}`);
  if (read === null || read.json['resourceType'] !== matched.type || read.json['id'] !== matched.id)
    return null;
  const { json: resource, bytes } = read;
  if (matched.type === 'Person') return { ...matched, aliases: [], resource };
  return isCandidate(resource)
    ? { ...matched, aliases: listAliases(resource, context.client.base), resource, bytes }
    : null;
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
