import type { z } from 'zod';
import type * as contract from '../../../../contract/account/record-facts.ts';
import type { PatientSession } from '../../../../contract/audience.ts';
import type { PatientId } from '../../../../contract/brands.ts';
import { ResourceScope } from '../../../../contract/data-categories.ts';
import { hasQuestion, hasUploadsInFlight } from '../../../clinical/ingest/batches/batches.ts';
import { selectNewestByPath } from '../../../clinical/ingest/originals/documents.sql.ts';
import { findDrugEnds, listEndedDrugs } from '../../../clinical/queries/drug-ends.ts';
import { findDrugStatements } from '../../../clinical/queries/drug-ends.sql.ts';
import { findReferenced, FROM_START } from '../../../clinical/queries/details.sql.ts';
import {
  countFacts,
  findFact,
  findFacts,
  findRecorded,
  type EntryKey,
  type Fact,
} from '../../../clinical/queries/own-facts.sql.ts';
import { clusterHits } from '../../../clinical/search/cluster-hits.ts';
import type { EmbedQuestion } from '../../../clinical/search/embeddings/embed-question.ts';
import type { ReadQuestion } from '../../../clinical/search/question/read-question.ts';
import { isOnlyRelated, rankHits } from '../../../clinical/search/rank-hits.ts';
import { MAX_HITS, searchPassages } from '../../../clinical/search/search.sql.ts';
import { buildSnippet } from '../../../clinical/search/snippet.ts';
import { ownAccessFor, readOwnRecord, type OwnAccess } from '../../../consent/access/record-access.ts';
import type { Db } from '../../../platform/db/db.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { notFound } from '../../../platform/kernel/refusal.ts';
import { toFactDto, type FactContext, type Originals } from './fact-dto.ts';
import { readPersonDetails } from './person-details.ts';

export interface MyRecordDeps {
  db: Db;
  clock: Clock;
  readQuestion: ReadQuestion;
  embedQuestion: EmbedQuestion;
}

/** Characters of a text that a list shows. */
const BEGINNING = 400;
/** A longer text is read in the download. */
const MAX_TEXT = 200_000;
const MAX_RESULTS = 50;

const PERSON_CATEGORIES: readonly ResourceScope[] = ['DEMOGRAPHICS', 'CONTACT_INFO'];

const findPatientResources = (access: OwnAccess) =>
  findReferenced(access, [{ type: 'Patient', id: null, isMark: false, count: null, from: FROM_START }]);

/** Counts what the pages of the record show; the person's own reading is no entry of their access log. */
export async function countRecord(
  { db }: MyRecordDeps,
  session: PatientSession,
): Promise<z.output<(typeof contract.countMyRecord)['response']>> {
  const access = ownAccessFor(session);
  const { counts, patients } = await readOwnRecord(db, access, {
    counts: countFacts(access),
    patients: findPatientResources(access),
  });
  const bodies = patients.map(({ body }) => body);
  const categories = ResourceScope.options.map((category) => ({
    category,
    facts:
      (counts.find((each) => each.category === category)?.facts ?? 0) +
      (PERSON_CATEGORIES.includes(category) ? readPersonDetails(bodies, category).length : 0),
  }));
  return {
    categories,
    total: categories.reduce((sum, { facts }) => sum + facts, 0),
    isArriving: await hasUploadsInFlight(db, session.patientId),
    isAsked: await hasQuestion(db, session.patientId),
  };
}

/** Returns a page of what the record holds of one category. */
export async function listFacts(
  deps: MyRecordDeps,
  session: PatientSession,
  { category, limit, offset }: z.output<(typeof contract.listMyFacts)['query']>,
): Promise<z.output<(typeof contract.listMyFacts)['response']>> {
  const { db } = deps;
  const access = ownAccessFor(session);
  // One row beyond the page shows whether there is another page.
  const today = deps.clock.now().toISOString().slice(0, 10);
  const page = { category, limit: limit + 1, offset, textLength: BEGINNING, today };
  const { facts } = await readOwnRecord(db, access, { facts: findFacts(access, page) });
  const shown = facts.slice(0, limit);
  const context = await readFactContext(deps, session, shown);
  return {
    person: await listPersonDetails(db, access, category),
    results: shown.map((fact) => toFactDto(fact, context, BEGINNING)),
    next: facts.length > limit ? String(offset + limit) : null,
  };
}

async function listPersonDetails(db: Db, access: OwnAccess, category: ResourceScope) {
  if (!PERSON_CATEGORIES.includes(category)) return [];
  const { patients } = await readOwnRecord(db, access, { patients: findPatientResources(access) });
  return readPersonDetails(
    patients.map(({ body }) => body),
    category,
  );
}

/** Returns one fact with all its words, and each time it was recorded. */
export async function getFact(
  deps: MyRecordDeps,
  session: PatientSession,
  id: string,
): Promise<z.output<(typeof contract.getMyFact)['response']>> {
  const access = ownAccessFor(session);
  const key = parseFactId(id);
  const { found, recorded } = await readOwnRecord(deps.db, access, {
    found: findFact(access, key, MAX_TEXT),
    recorded: findRecorded(access, key),
  });
  const [fact] = found;
  if (!fact) throw notFound('The person has no such fact');
  const context = await readFactContext(deps, session, [fact, ...recorded]);
  return {
    fact: toFactDto(fact, context, MAX_TEXT),
    recorded: recorded.map((each) => toFactDto(each, context, BEGINNING)),
  };
}

function parseFactId(id: string): EntryKey {
  const [seq = 0, ordinal = 0] = id.split('.').map(Number);
  return { seq, ordinal };
}

/** Searches as the tool `search` does, in the order of its results. */
export async function searchRecord(
  deps: MyRecordDeps,
  session: PatientSession,
  query: string,
): Promise<z.output<(typeof contract.searchMyRecord)['response']>> {
  const { db, clock, readQuestion, embedQuestion } = deps;
  if (query.trim() === '') return { results: [], hasMore: false, readAs: [] };
  const access = ownAccessFor(session);
  const today = clock.now().toISOString().slice(0, 10);
  const question = readQuestion(query, today);
  const vector = await embedQuestion(query);
  const endedDrugs = question.subset === 'stopped' ? await findEndedDrugs(db, access, today) : [];
  const search = { question, kinds: null, today, vector, endedDrugs };
  const { found } = await readOwnRecord(db, access, {
    found: searchPassages(access, search),
  });
  const { hits, ...result } = found[0] ?? { hits: [], foundConcepts: [], impliedConcepts: [] };
  const clusters = clusterHits(rankHits(hits, question), { keepsSimilar: true, extreme: question.extreme });
  const shown = clusters.slice(0, MAX_RESULTS);
  const facts = shown.map(({ hit: { entry }, since, toCome, times, firstDay, lastDay }): Fact => ({
    ...entry,
    since,
    next: toCome[0] ?? null,
    times,
    firstDay,
    lastDay,
    textLength: null,
  }));
  const context = await readFactContext(deps, session, facts);
  const words = [
    ...question.concepts.flatMap(({ phrase, readAs }) => [phrase, ...readAs.map(({ name }) => name)]),
    ...(found[0]?.words ?? []).map(({ readAs }) => readAs),
  ];
  return {
    results: facts.map((fact, index) => ({
      ...toFactDto(fact, context, BEGINNING),
      around: buildSnippet(shown[index]?.hit.body ?? '', words),
    })),
    isRelated: isOnlyRelated({ hits, ...result }, question),
    hasMore: clusters.length > shown.length || hits.length === MAX_HITS,
    readAs: question.concepts.map(({ phrase, readAs }) => ({
      phrase,
      names: readAs.map(({ name }) => name),
      spanishNames: readAs.map(({ spanishName }) => spanishName),
    })),
  };
}

async function findEndedDrugs(db: Db, access: OwnAccess, today: string): Promise<string[]> {
  const { statements } = await readOwnRecord(db, access, { statements: findDrugStatements(access, today) });
  return listEndedDrugs(statements);
}

/** Reads what the facts are shown with: their originals, and what ends a drug that is in force. */
async function readFactContext(
  { db, clock }: MyRecordDeps,
  session: PatientSession,
  facts: readonly Fact[],
): Promise<FactContext> {
  const today = clock.now().toISOString().slice(0, 10);
  const originals = await findOriginals(db, session.patientId, facts);
  if (!facts.some(({ kind, current }) => kind === 'medication' && current))
    return { originals, ends: new Map(), today };
  const access = ownAccessFor(session);
  const { drugs } = await readOwnRecord(db, access, { drugs: findDrugStatements(access, today) });
  return { originals, ends: findDrugEnds(drugs), today };
}

/** Finds which of the files that facts came in are kept as documents of their own. */
async function findOriginals(db: Db, patientId: PatientId, facts: readonly Fact[]): Promise<Originals> {
  const paths = new Set(
    facts.flatMap(({ documentPath, matches }) => [
      documentPath,
      ...(matches ?? []).map((match) => match.documentPath),
    ]),
  );
  if (paths.size === 0) return new Map();
  const rows = await db.query(selectNewestByPath(patientId, [...paths]));
  return new Map(rows.map(({ path, document_id: id }) => [path, id]));
}
