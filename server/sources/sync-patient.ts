import fs from 'node:fs/promises';
import type { BatchId } from '../../contract/ids.ts';
import type { SourceMatching } from '../../contract/sources.ts';
import type { Egress } from '../egress/egress.ts';
import type { Jobs } from '../jobs/worker.ts';
import type { Clock } from '../kernel/clock.ts';
import { maybeOne, type Db } from '../storage/db.ts';
import { queueBatch } from '../uploads/queue-batch.ts';
import { temporaryFolder } from '../uploads/temporary-folder.ts';
import { readCapabilities, type Capabilities } from './capabilities.ts';
import { credentialsOf, type TokenCache } from './credentials.ts';
import { fhirClient, type FhirClient } from './fhir-client.ts';
import { contentHash, fetchRecord, type FetchedRecord } from './fetch-record.ts';
import type { SourceLimits } from './limits.ts';
import { matchPatient, stillThere, type Matched, type Match } from './match-patient.ts';
import { archivePages } from './page-archive.ts';
import { pageInspector } from './page-inspector.ts';
import { SourceFault, type OtherCode } from './source-fault.ts';
import type { SourceRow } from './sources.sql.ts';
import * as statements from './syncs.sql.ts';
import type { Wire } from './wire.ts';

export interface SyncDeps {
  db: Db;
  clock: Clock;
  jobs: Jobs;
  egress: Egress;
  tokens: TokenCache;
  limits: SourceLimits;
  allowPrivate: boolean;
}

export interface Sync {
  key: statements.SyncKey;
  source: SourceRow;
  row: statements.SyncRow;
  signal: AbortSignal;
}

/** What one try has come to: an ending, or a batch whose reading ends it. */
export type Outcome =
  | { state: 'up_to_date' | 'no_match' | 'ambiguous_match' | 'paused'; code: OtherCode | null }
  | { batchId: BatchId };

/** Finds the patient at the source and brings in what is new; stores nothing unless they share at that moment. */
export async function syncPatient(deps: SyncDeps, sync: Sync): Promise<Outcome> {
  const sought = await consenting(deps, sync);
  if (!sought) return { state: 'paused', code: 'no_consent' };
  const tooLong = AbortSignal.timeout(deps.limits.syncMs);
  const signal = AbortSignal.any([sync.signal, tooLong]);
  try {
    return await asked(deps, { ...sync, signal }, sought);
  } catch (error) {
    if (tooLong.aborted && !sync.signal.aborted) throw new SourceFault('took_too_long');
    throw error;
  }
}

async function consenting(
  { db, clock }: SyncDeps,
  { key, source }: Sync,
): Promise<statements.SoughtRow | null> {
  const sought = await maybeOne(db, statements.soughtPatient(key.patientId, source, clock.now()));
  return sought?.consents ? sought : null;
}

async function asked(deps: SyncDeps, sync: Sync, sought: statements.SoughtRow): Promise<Outcome> {
  const wire: Wire = { ...deps, signal: sync.signal };
  const client = fhirClient(wire, sync.source.base_url, credentialsOf(deps, wire, sync.source));
  const capabilities = await readCapabilities(client, deps.limits.metadataBytes);
  const match = await whoTheyAre(deps, { ...sync, client, capabilities }, sought);
  if ('state' in match) return match;
  const folder = await temporaryFolder('source');
  try {
    await using inspector = pageInspector(deps.limits);
    const { type, id, aliases } = match;
    const paging = {
      client,
      inspector,
      limits: deps.limits,
      folder,
      expected: { type, id, aliases, collect: false },
    };
    const since = isKnown(sync, match) ? sync.row.covered_until : null;
    const record = await fetchRecord({ ...paging, capabilities }, { matched: match, since });
    return await handOver(deps, sync, { record, folder, since });
  } finally {
    await fs.rm(folder, { recursive: true, force: true });
  }
}

const isKnown = ({ row, source }: Sync, { type, id }: Matched): boolean =>
  row.matched_revision === source.matching_revision && row.matched_type === type && row.matched_id === id;

type Asking = Sync & { client: FhirClient; capabilities: Capabilities };

/** As matched before, while the way of matching is the same and they are still there; else matched anew. */
async function whoTheyAre(deps: SyncDeps, sync: Asking, sought: statements.SoughtRow): Promise<Match> {
  const { row, source, key } = sync;
  const way = { ...sync, maxBytes: deps.limits.answerBytes };
  if (row.matched_id !== null && row.matched_type && row.matched_revision === source.matching_revision) {
    const known = await stillThere(way, { type: row.matched_type, id: row.matched_id });
    if (known) return known;
  }
  const match = await matchPatient(way, {
    person: {
      firstName: sought.first_name,
      lastName: sought.last_name,
      dateOfBirth: sought.date_of_birth,
      email: sought.email,
      phone: sought.phone,
    },
    externalIds: sought.external_ids,
    isTestPatient: sought.is_test_patient,
    matching: JSON.parse(source.matching) as SourceMatching,
  });
  const matched = 'state' in match ? null : { ...match, revision: source.matching_revision };
  await deps.db.query(statements.putMatch(key, matched));
  return match;
}

/** A server's clock may be moved, and what is written while it answers may be older than its answer. */
const OVERLAP_MS = 5 * 60_000;
/** Where it does not tell its time, ours may be as far from it as this. */
const UNKNOWN_CLOCK_MS = 24 * 3600_000;

/** What becomes true when the batch has been read, as it is kept meanwhile. */
export interface Pending {
  /** null: not all came, so all is asked for again. */
  coveredUntil: string | null;
  contentHash: string;
  subjectHash: string | null;
  skipped: string[];
}

async function handOver(
  deps: SyncDeps,
  sync: Sync,
  { record, folder, since }: { record: FetchedRecord; folder: string; since: Date | null },
): Promise<Outcome> {
  const { db, clock } = deps;
  const before = record.startedAt ?? new Date(clock.now().getTime() - UNKNOWN_CLOCK_MS);
  const pending: Pending = {
    coveredUntil: record.skipped.length > 0 ? null : new Date(before.getTime() - OVERLAP_MS).toISOString(),
    contentHash: contentHash(record).toString('hex'),
    subjectHash: record.subjectHash,
    skipped: record.skipped,
  };
  if (isNothingNew(sync.row, record, since)) {
    await covered(deps, sync.key, pending);
    return { state: 'up_to_date', code: record.skipped.length > 0 ? 'partial' : null };
  }
  const file = await archivePages(folder, { files: record.files, source: sync.source.name });
  sync.signal.throwIfAborted();
  // They may have taken their consent back while the server answered.
  if (!(await consenting(deps, sync))) return { state: 'paused', code: 'no_consent' };
  const { sourceId, patientId } = sync.key;
  const batchId = await queueBatch(deps, {
    patientId,
    file,
    source: { sourceId, origin: sync.source.base_url },
  });
  const { pages, resources, bytes } = record;
  await db.query(statements.putBatch(sync.key, { batchId, pending }));
  await db.query(statements.putCounts(sync.key, { pages, resources, bytes }));
  return { batchId };
}

/** The same as the last time, or on asking for news nothing but the patient as they were. */
function isNothingNew(row: statements.SyncRow, record: FetchedRecord, since: Date | null): boolean {
  if (record.resources === 0) return true;
  if (row.content_hash?.equals(contentHash(record))) return true;
  return since !== null && record.others === 0 && row.subject_hash?.toString('hex') === record.subjectHash;
}

/** The record holds what the server had. */
export const covered = async ({ db, clock }: SyncDeps, key: statements.SyncKey, pending: Pending) => {
  const { coveredUntil, contentHash: hash, subjectHash, skipped } = pending;
  await db.query(
    statements.putCovered(key, {
      coveredUntil: coveredUntil === null ? null : new Date(coveredUntil),
      synchronizedAt: clock.now(),
      contentHash: Buffer.from(hash, 'hex'),
      subjectHash: subjectHash === null ? null : Buffer.from(subjectHash, 'hex'),
      skipped,
    }),
  );
};
