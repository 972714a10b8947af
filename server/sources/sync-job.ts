import { RunLater, type JobKind } from '../jobs/kinds.ts';
import { Refusal } from '../kernel/refusal.ts';
import { maybeOne } from '../storage/db.ts';
import { batch } from '../uploads/uploads.sql.ts';
import { LONGEST_WAIT_MS, RETRY_SECONDS } from './limits.ts';
import { SYNC_JOB, type SyncJob } from './request-sync.ts';
import { SourceFault, type FaultCode, type OtherCode } from './source-fault.ts';
import { sourceById } from './sources.sql.ts';
import {
  covered,
  syncPatient,
  type Outcome,
  type Pending,
  type Sync,
  type SyncDeps,
} from './sync-patient.ts';
import * as statements from './syncs.sql.ts';

/** How often the reading of what was fetched is looked at. */
const LOOK_AGAIN_MS = 500;

/** Fetches a patient's record from one source and follows it into the record. Repeatable: killed, it begins anew. */
export const syncJob = (deps: SyncDeps): JobKind<SyncJob> => ({
  kind: SYNC_JOB,
  maxAttempts: 5,
  delaySeconds: (attempt) => 10 * 2 ** attempt,
  async run(job, signal) {
    const sync = await begin(deps, job, signal);
    if (!sync) return;
    if (sync.source.status === 'paused') return end(deps, sync, { state: 'paused', code: 'source_paused' });
    if (sync.row.pending !== null) return follow(deps, sync);
    const outcome = await attempt(deps, sync);
    if (outcome === 'gone') return;
    if ('batchId' in outcome) throw new RunLater(LOOK_AGAIN_MS);
    await end(deps, sync, outcome);
  },
  async parked(job) {
    const row = await maybeOne(deps.db, statements.syncOf(job));
    if (row)
      await deps.db.query(
        statements.endSync(job, { state: 'failed', code: 'internal_error', requestedAt: row.requested_at }),
      );
  },
});

/** null: source or patient are gone. */
async function begin(
  { db }: SyncDeps,
  { organizationId, sourceId, patientId }: SyncJob,
  signal: AbortSignal,
): Promise<Sync | null> {
  const key = { patientId, sourceId };
  const source = await maybeOne(db, sourceById(organizationId, sourceId));
  const row = source && (await maybeOne(db, statements.syncOf(key)));
  if (!source || !row) return null;
  if (row.state !== 'running') await db.query(statements.startSync(key));
  return { key, source, row, signal };
}

/** A fault that may pass is tried again later, as often as it says there; another one ends it. */
async function attempt(deps: SyncDeps, sync: Sync): Promise<Outcome | Failed | 'gone'> {
  try {
    return await syncPatient(deps, sync);
  } catch (error) {
    if (error instanceof Refusal) return 'gone';
    if (!(error instanceof SourceFault)) throw error;
    const seconds = RETRY_SECONDS[sync.row.failures];
    if (!error.passes || seconds === undefined) return { state: 'failed', code: error.code };
    await deps.db.query(statements.putFailure(sync.key, error.code));
    throw new RunLater(Math.max(seconds * 1000, Math.min(error.retryAfterMs ?? 0, LONGEST_WAIT_MS)));
  }
}

interface Failed {
  state: 'failed';
  code: FaultCode;
}

type Ending = Failed | { state: Exclude<Outcome, { batchId: unknown }>['state']; code: OtherCode | null };

/** What was asked for meanwhile is not lost: then it begins again at once. */
async function end({ db }: SyncDeps, { key, row }: Sync, ending: Ending): Promise<void> {
  const ended = await maybeOne(db, statements.endSync(key, { ...ending, requestedAt: row.requested_at }));
  if (ended) return;
  const waiting = await db.query(statements.waitAgain(key));
  if (waiting.length > 0) throw new RunLater(0);
}

/** The state is the batch's until that is read. */
async function follow(deps: SyncDeps, sync: Sync): Promise<void> {
  const { batch_id: batchId, pending } = sync.row;
  const read = batchId && (await maybeOne(deps.db, batch(sync.key.patientId, batchId)));
  if (read?.status === 'queued' || read?.status === 'processing') throw new RunLater(LOOK_AGAIN_MS);
  if (!read || read.status === 'failed') return end(deps, sync, { state: 'failed', code: 'not_stored' });
  const told = JSON.parse(pending ?? '{}') as Pending;
  await covered(deps, sync.key, told);
  await end(deps, sync, { state: 'up_to_date', code: told.skipped.length > 0 ? 'partial' : null });
}
