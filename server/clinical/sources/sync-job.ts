import { Reschedule, type JobKind } from '../../platform/jobs/job-kind.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import { maybeOne } from '../../platform/db/db.ts';
import { selectBatch } from '../ingest/batches/uploads.sql.ts';
import { MAX_RETRY_AFTER_MS, RETRY_SECONDS } from './limits.ts';
import type { SyncJob } from './request-sync.ts';
import { SourceFault, type FaultCode, type OutcomeCode } from './source-fault.ts';
import { selectSource } from './sources.sql.ts';
import { describeCoverage, saveCoverage, settleCoverage, type PendingCoverage } from './coverage.ts';
import { syncPatient, type Outcome, type Sync, type SyncDeps } from './sync-patient.ts';
import * as statements from './syncs.sql.ts';

/** How often the state of the batch is polled. */
const POLL_INTERVAL_MS = 500;

/** Creates the job that fetches a patient's record from one source and follows its batch. Killed, it starts over. */
export const createSyncJob = (deps: SyncDeps): JobKind<SyncJob> => ({
  kind: statements.SYNC_JOB,
  maxAttempts: 5,
  delaySeconds: (attempt) => 10 * 2 ** attempt,
  async run(job, signal) {
    deps.db.capacity.require('uploads');
    const sync = await startSync(deps, job, signal);
    if (!sync) return;
    if (sync.source.status === 'paused')
      return finishSync(deps, sync, { state: 'paused', code: 'source_paused' });
    if (sync.row.pending !== null) return followBatch(deps, sync);
    const outcome = await runSync(deps, sync);
    if (outcome === 'gone') return;
    if ('batchId' in outcome) throw new Reschedule(POLL_INTERVAL_MS);
    await finishSync(deps, sync, outcome);
  },
  async onDeadLetter(job) {
    const row = await maybeOne(deps.db, statements.selectSync(job));
    if (row)
      await deps.db.query(
        statements.finishSync(job, {
          state: 'failed',
          code: 'internal_error',
          requestedAt: row.requested_at,
        }),
      );
  },
});

/** Returns null when the source or the patient is gone. */
async function startSync(
  { db }: SyncDeps,
  { organizationId, sourceId, patientId }: SyncJob,
  signal: AbortSignal,
): Promise<Sync | null> {
  const key = { patientId, sourceId };
  const source = await maybeOne(db, selectSource({ organizationId, projectIds: null }, sourceId));
  const row = source && (await maybeOne(db, statements.selectSync(key)));
  if (!source || !row) return null;
  if (row.state !== 'running') await db.query(statements.startSync(key));
  return { key, source, row, signal };
}

/** Runs the sync; a transient fault reschedules it, as often as `RETRY_SECONDS` says, another one ends it. */
async function runSync(deps: SyncDeps, sync: Sync): Promise<Outcome | FailedOutcome | 'gone'> {
  try {
    return await syncPatient(deps, sync);
  } catch (error) {
    if (error instanceof Refusal && error.status < 500) return 'gone';
    if (!(error instanceof SourceFault)) throw error;
    const seconds = RETRY_SECONDS[sync.row.failures];
    if (!error.isTransient || seconds === undefined) return { state: 'failed', code: error.code };
    await deps.db.query(statements.recordFailure(sync.key, error.code));
    throw new Reschedule(Math.max(seconds * 1000, Math.min(error.retryAfterMs ?? 0, MAX_RETRY_AFTER_MS)));
  }
}

interface FailedOutcome {
  state: 'failed';
  code: FaultCode;
}

type SyncOutcome =
  | FailedOutcome
  | { state: Exclude<Outcome, { batchId: unknown }>['state']; code: OutcomeCode | null };

/** Finishes the sync; one that was requested meanwhile starts again at once. */
async function finishSync({ db }: SyncDeps, { key, row }: Sync, outcome: SyncOutcome): Promise<void> {
  const finished = await maybeOne(
    db,
    statements.finishSync(key, { ...outcome, requestedAt: row.requested_at }),
  );
  if (finished) return;
  const waiting = await db.query(statements.requeueSync(key));
  if (waiting.length > 0) throw new Reschedule(0);
}

/** Polls the batch until it is read, and finishes the sync by its result. */
async function followBatch(deps: SyncDeps, sync: Sync): Promise<void> {
  const { batch_id: batchId, pending } = sync.row;
  const syncedBatch = batchId && (await maybeOne(deps.db, selectBatch(sync.key.patientId, batchId)));
  if (syncedBatch?.status === 'queued' || syncedBatch?.status === 'processing')
    throw new Reschedule(POLL_INTERVAL_MS);
  if (!syncedBatch || syncedBatch.status === 'failed')
    return finishSync(deps, sync, { state: 'failed', code: 'not_stored' });
  const coverage = await settleCoverage(deps.db, {
    key: sync.key,
    batch: syncedBatch,
    pending: JSON.parse(pending ?? '{}') as PendingCoverage,
    isFirst: sync.row.synchronized_at === null,
  });
  if (coverage === null) return finishSync(deps, sync, { state: 'failed', code: 'not_stored' });
  await saveCoverage(deps, sync.key, coverage);
  await finishSync(deps, sync, describeCoverage(coverage));
}
