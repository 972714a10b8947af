import { createWriteStream } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import type { BatchId } from '../../../contract/brands.ts';
import type { SourceMatching } from '../../../contract/organization/sources.ts';
import type { OutboundClient } from '../../platform/outbound/outbound-client.ts';
import type { Jobs } from '../../platform/jobs/worker.ts';
import type { Objects } from '../../platform/objects/objects.ts';
import type { SecretSeal } from '../../platform/keys/secret-seal.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { maybeOne, one, type Db, type Tx } from '../../platform/db/db.ts';
import { selectIsPermitted } from '../../consent/access/consenting-patients.sql.ts';
import {
  selectDemographics,
  selectExternalIds,
  selectWrittenDateOfBirth,
} from '../../identity/patients/patients.sql.ts';
import { enqueueBatch } from '../ingest/batches/enqueue-batch.ts';
import { ARCHIVE_LIMITS } from '../ingest/archive/limits.ts';
import { createTemporaryFolder } from '../ingest/archive/temporary-folder.ts';
import { readCapabilities, type Capabilities } from './capabilities.ts';
import { describeCoverage, saveCoverage, type PendingCoverage } from './coverage.ts';
import { createCredentials, type TokenCache } from './credentials.ts';
import { createFhirClient, type FhirClient } from './fhir-client.ts';
import { hashContent, fetchRecord, type FetchedRecord } from './fetch-record.ts';
import { MAX_AWAITED_FAILURES, type SourceLimits } from './limits.ts';
import { matchPatient, reuseMatch } from './match-patient.ts';
import type { MatchedPatient, MatchQuery, MatchResult } from './matched-patient.ts';
import { describePatient } from './own-patient.ts';
import type { PageInspectors } from './page-inspector.ts';
import { SourceFault, type OutcomeCode } from './source-fault.ts';
import { holdSource, toProjectScope, type SourceRow } from './sources.sql.ts';
import * as statements from './syncs.sql.ts';
import { SourceClosed, whileActive } from './while-active.ts';
import type { HttpContext } from './http.ts';

export interface SyncDeps {
  db: Db;
  clock: Clock;
  objects: Objects;
  jobs: Jobs;
  secrets: SecretSeal;
  outbound: OutboundClient;
  tokens: TokenCache;
  inspectors: PageInspectors;
  limits: SourceLimits;
  allowPrivate: boolean;
}

export interface Sync {
  key: statements.SyncKey;
  source: SourceRow;
  row: statements.SyncRow;
  signal: AbortSignal;
}

/** The outcome of one attempt: a final state, or a batch that decides it. */
export type Outcome =
  | {
      state: 'up_to_date' | 'no_match' | 'ambiguous_match' | 'needs_organization_review' | 'paused';
      code: OutcomeCode | null;
    }
  | { batchId: BatchId };

/** Finds the patient at the source and enqueues what is new; stores nothing without a consent at that moment. */
export async function syncPatient(deps: SyncDeps, sync: Sync): Promise<Outcome> {
  const matchQuery = await findPatient(deps, sync);
  if (matchQuery && matchQuery.isTestPatient !== sync.source.serves_test_patients)
    return { state: 'paused', code: 'not_served' };
  if (!matchQuery || !(await isPermitted(deps, sync))) return { state: 'paused', code: 'no_consent' };
  const timeout = AbortSignal.timeout(deps.limits.syncMs);
  const signal = AbortSignal.any([sync.signal, timeout]);
  try {
    return await whileActive(deps.db, { source: sync.source, signal }, (active) =>
      synchronize(deps, { ...sync, signal: active }, matchQuery),
    );
  } catch (error) {
    if (error instanceof SourceClosed) return { state: 'paused', code: 'source_paused' };
    if (timeout.aborted && !sync.signal.aborted) throw new SourceFault('took_too_long');
    throw error;
  }
}

async function isPermitted({ db, clock }: SyncDeps, { key, source }: Sync): Promise<boolean> {
  const scope = toProjectScope(source);
  return (await one(db, selectIsPermitted(key.patientId, scope, clock.now()))).permitted;
}

/** Returns the patient as they are looked for at the source; null when they are gone. */
async function findPatient({ db }: SyncDeps, { key, source }: Sync): Promise<MatchQuery | null> {
  const patient = await maybeOne(db, selectDemographics(key.patientId));
  if (!patient) return null;
  // Each organization's server knows them by the day of birth that the organization has written, whatever another one has.
  const written = await one(db, selectWrittenDateOfBirth(key.patientId, source.organization_id));
  const externalIds = await db.query(selectExternalIds(key.patientId, toProjectScope(source)));
  return {
    demographics: {
      firstName: patient.first_name,
      lastName: patient.last_name,
      dateOfBirth: written.date_of_birth ?? patient.date_of_birth,
      email: patient.email,
      phone: patient.phone,
    },
    externalIds: externalIds.map(({ external_id: externalId }) => externalId),
    isTestPatient: patient.is_test_patient,
    matching: JSON.parse(source.matching) as SourceMatching,
  };
}

async function synchronize(deps: SyncDeps, sync: Sync, matchQuery: MatchQuery): Promise<Outcome> {
  const limits = selectLimits(deps.limits, sync.row.failures);
  const http: HttpContext = { ...deps, limits, signal: sync.signal };
  const client = createFhirClient(http, sync.source.base_url, createCredentials(deps, http, sync.source));
  const capabilities = await readCapabilities(client, limits);
  const match = await matchOrReuse(deps, { ...sync, client, capabilities }, matchQuery);
  if ('state' in match) return match;
  const folder = await createTemporaryFolder('source');
  try {
    await using inspector = deps.inspectors.create();
    const { type, id, aliases, resource } = match;
    const paging = {
      client,
      inspector,
      limits: deps.limits,
      folder,
      clock: deps.clock,
      signal: sync.signal,
      expected: {
        type,
        own: describePatient(client.base, { id, aliases, resource }),
        collect: false,
      },
    };
    const since = findSince(deps, sync, match);
    const record = await fetchRecord({ ...paging, capabilities }, { matched: match, since });
    return await enqueueRecord(deps, sync, { record, folder, since });
  } finally {
    await fs.rm(folder, { recursive: true, force: true });
  }
}

/** Nobody waits for the later attempts: a server that is slow to describe itself has its time then. */
const selectLimits = (limits: SourceLimits, failures: number): SourceLimits =>
  failures < MAX_AWAITED_FAILURES ? limits : { ...limits, firstRequestMs: limits.requestMs };

/** Returns since when to ask; null: for everything. A time that has not come yet was of a server whose clock was ahead. */
function findSince({ clock }: SyncDeps, sync: Sync, match: MatchedPatient): Date | null {
  const { covered_until: covered } = sync.row;
  return covered !== null && covered <= clock.now() && isSameMatch(sync, match) ? covered : null;
}

const isSameMatch = ({ row, source }: Sync, { type, id }: MatchedPatient): boolean =>
  row.matched_revision === source.matching_revision && row.matched_type === type && row.matched_id === id;

type MatchingSync = Sync & { client: FhirClient; capabilities: Capabilities };

/**
 * Returns the former match while the matching rules and what the patient is called by are unchanged and the patient still
 * exists; else matches again. Either is confirmed at each sync: names and birth dates change on both sides.
 */
async function matchOrReuse(
  deps: SyncDeps,
  sync: MatchingSync,
  matchQuery: MatchQuery,
): Promise<MatchResult> {
  const { row, source, key } = sync;
  const context = { ...sync, maxBytes: deps.limits.responseBytes };
  if (row.matched_id !== null && row.matched_type && row.matched_revision === source.matching_revision) {
    const known = await reuseMatch(context, { type: row.matched_type, id: row.matched_id }, matchQuery);
    if (known && !('state' in known)) return known;
  }
  const match = await matchPatient(context, matchQuery);
  const matched = 'state' in match ? null : { ...match, revision: source.matching_revision };
  await deps.db.query(statements.updateMatch(key, matched));
  return match;
}

/** A server's clock may be wrong, and a resource that is written during the response may have an earlier time. */
const OVERLAP_MS = 5 * 60_000;
/** How far our clock may differ from that of a server that declares no time. */
const MAX_CLOCK_SKEW_MS = 24 * 3600_000;

async function enqueueRecord(
  deps: SyncDeps,
  sync: Sync,
  { record, folder, since }: { record: FetchedRecord; folder: string; since: Date | null },
): Promise<Outcome> {
  const { db, clock } = deps;
  const before = record.startedAt ?? new Date(clock.now().getTime() - MAX_CLOCK_SKEW_MS);
  const pending: PendingCoverage = {
    coveredUntil: record.isComplete ? new Date(before.getTime() - OVERLAP_MS).toISOString() : null,
    contentHash: hashContent(record).toString('hex'),
    subjectHash: record.subjectHash,
    skipped: record.skipped,
  };
  if (isUnchanged(sync.row, record, since)) {
    await saveCoverage(deps, sync.key, pending);
    return describeCoverage(pending);
  }
  const file = await archivePages(folder, { files: record.files, source: sync.source.name });
  sync.signal.throwIfAborted();
  const { sourceId, patientId } = sync.key;
  const source = { sourceId, origin: sync.source.base_url };
  try {
    const onEnqueued = (tx: Tx) => requireOpen(tx, deps, sync);
    const batchId = await enqueueBatch(deps, { patientId, file, source, onEnqueued });
    const { pages, resources, bytes } = record;
    await db.query(statements.updateBatch(sync.key, { batchId, pending }));
    await db.query(statements.updateCounts(sync.key, { pages, resources, bytes }));
    return { batchId };
  } catch (error) {
    if (error instanceof SyncClosed) return { state: 'paused', code: error.code };
    throw error;
  }
}

/** What was fetched may not be stored any more. */
class SyncClosed extends Error {
  override name = 'SyncClosed';
  readonly code: 'source_paused' | 'no_consent';
  constructor(code: SyncClosed['code']) {
    super(`sync: ${code}`);
    this.code = code;
  }
}

/**
 * Throws where the source was paused, deleted or matches otherwise, or the consent was withdrawn, while the server answered: in the
 * transaction that stores what it sent, and with the source held, so that nothing comes after the pause was acknowledged.
 */
async function requireOpen(tx: Tx, { clock }: SyncDeps, { key, source: fetchedFrom }: Sync): Promise<void> {
  const source = await maybeOne(tx, holdSource(fetchedFrom.organization_id, fetchedFrom.source_id));
  const isSame = source?.matching_revision === fetchedFrom.matching_revision;
  if (!source || source.status !== 'active' || !isSame) throw new SyncClosed('source_paused');
  const isShared = (await one(tx, selectIsPermitted(key.patientId, toProjectScope(source), clock.now())))
    .permitted;
  if (!isShared) throw new SyncClosed('no_consent');
}

/**
 * True for the same content as the last time, or for an incremental fetch with nothing but the unchanged patient. What cannot be
 * read is listed by a batch, and everything is asked for again.
 */
function isUnchanged(row: statements.SyncRow, record: FetchedRecord, since: Date | null): boolean {
  if (record.unread > 0) return false;
  if (record.resources === 0) return true;
  if (row.content_hash?.equals(hashContent(record))) return true;
  return since !== null && record.others === 0 && row.subject_hash?.toString('hex') === record.subjectHash;
}

/**
 * Writes the pages byte for byte into one archive, as an upload is; throws `too_large` when an upload may not be so large.
 * Each page has the name of the source, which is shown as the provenance of its facts.
 */
async function archivePages(
  folder: string,
  { files, source }: { files: readonly string[]; source: string },
): Promise<string> {
  const archive = path.join(folder, 'pages.zip');
  const zip = new ZipFile();
  for (const file of files) zip.addFile(file, `${path.parse(file).name}/${toMemberName(source)}`);
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(archive));
  if ((await fs.stat(archive)).size > ARCHIVE_LIMITS.compressedBytes) throw new SourceFault('too_large');
  return archive;
}

/** Removes what would make the name a path. */
const toMemberName = (name: string): string => {
  const plain = name.replace(/[/\\\p{Cc}]+/gu, ' ').trim();
  return /^\.*$/.test(plain) || /^(\.DS_Store|thumbs\.db)$/i.test(plain) ? 'source' : plain;
};
