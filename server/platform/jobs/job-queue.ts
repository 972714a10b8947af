import { LoggableError } from '../kernel/log-message.ts';
import type { Clock } from '../kernel/clock.ts';
import { generateId } from '../kernel/ids.ts';
import type { Db } from '../db/db.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import { createFairShares, type FairShare, type FairShares } from './fair-shares.ts';
import { toReschedule, type JobKind } from './job-kind.ts';
import * as statements from './jobs.sql.ts';
import { runTraced } from './trace-jobs.ts';
import type { Queue } from './worker-pool.ts';

const LEASE_MS = 30_000;

/** How often the process may die during a job, beyond its attempts, until the job is held to be the cause. */
const MAX_CRASHES = 20;

class WorkerCrashError extends LoggableError {
  override name = 'WorkerCrashError';
}

export interface WorkerDeps {
  db: Db;
  clock: Clock;
  onError(error: unknown, kind: string): void;
  /** null, or absent: nothing is traced. */
  telemetry?: Telemetry | null;
  /** See `createClockGuard`; absent: whatever the clocks say. */
  mayClaim?: (() => Promise<boolean>) | undefined;
}

interface QueueDeps extends WorkerDeps {
  /** The id that leases are taken under. */
  worker: string;
}

interface Attempt {
  job: statements.JobRow;
  kind: JobKind;
  stop: AbortController;
}

/** Creates the queue of the jobs of some kinds, for a worker pool of this node; with `fairShares` none of them takes it all. */
export function createJobQueue(
  deps: WorkerDeps,
  kinds: readonly JobKind<never>[],
  fairShares: readonly FairShare[] = [],
): Queue<statements.JobRow> {
  const { db, clock } = deps;
  const shares = fairShares.length === 0 ? null : createFairShares(fairShares);
  const worker: string = generateId();
  const byKind = new Map(kinds.map((kind) => [kind.kind, kind as JobKind]));
  const names = [...byKind.keys()];
  const standby = kinds.filter(({ isStandby }) => isStandby).map(({ kind }) => kind);
  const claim: Claim = ({ limit, full = [] }) => {
    const now = clock.now();
    const leaseUntil = new Date(now.getTime() + LEASE_MS);
    return db.query(statements.claimJobs({ worker, kinds: names, now, leaseUntil, limit, full }));
  };
  return {
    buildDueCondition: (now) => statements.hasDueJobs(names, now),
    ...(shares && { mayLeaveDue: true as const }),
    claim: (limit) => (shares ? claimFairly(claim, shares, limit) : claim({ limit })),
    attempt: (job, stop) =>
      attemptJob({ ...deps, worker }, { job, kind: byKind.get(job.kind) as JobKind, stop }).finally(() =>
        shares?.release(job),
      ),
    async release(jobs) {
      const runAt = clock.now();
      for (const job of jobs) shares?.release(job);
      for (const { job_id: jobId } of jobs) await db.query(statements.releaseJob({ jobId, worker, runAt }));
    },
    releaseAll: async () =>
      void (await db.query(statements.releaseAllJobs({ kinds: names, standby }, clock.now()))),
  };
}

type Claim = (
  some: Pick<Parameters<typeof statements.claimJobs>[0], 'limit' | 'full'>,
) => Promise<statements.JobRow[]>;

/** Claims one job after another, so that each one counts when the next is looked for. */
async function claimFairly(claim: Claim, shares: FairShares, limit: number): Promise<statements.JobRow[]> {
  const claimed: statements.JobRow[] = [];
  while (claimed.length < limit) {
    const [next] = await claim({ limit: 1, full: shares.listFull(claimed) });
    if (next === undefined) break;
    claimed.push(next);
  }
  shares.take(claimed);
  return claimed;
}

/** Makes one attempt at a job and extends its lease meanwhile; never throws. */
async function attemptJob(deps: QueueDeps, attempt: Attempt): Promise<void> {
  const { db, worker, onError } = deps;
  const { job, kind, stop } = attempt;
  const heartbeat = startHeartbeat(deps, attempt);
  try {
    if (job.attempts > kind.maxAttempts + MAX_CRASHES)
      throw new WorkerCrashError('the process died of it too often');
    if (deps.telemetry) await runTraced(deps.telemetry, { kind, job, signal: stop.signal });
    else await kind.run(JSON.parse(job.payload), stop.signal);
    await db.query(statements.finishJob({ jobId: job.job_id, worker }));
  } catch (error) {
    await handleFailure(deps, attempt, error).catch((failure: unknown) => onError(failure, job.kind));
  } finally {
    clearInterval(heartbeat);
  }
}

/** Extends the lease; when it was lost the job is another worker's, and the attempt is asked to end. */
function startHeartbeat({ db, clock, worker, onError }: QueueDeps, { job, stop }: Attempt): NodeJS.Timeout {
  return setInterval(() => {
    const leaseUntil = new Date(clock.now().getTime() + LEASE_MS);
    db.query(statements.extendLease({ jobId: job.job_id, worker, leaseUntil })).then(
      (rows) => rows.length === 0 && stop.abort(new Error('the lease was lost')),
      (error: unknown) => onError(error, job.kind),
    );
  }, LEASE_MS / 3);
}

/** After a failure the job is released, tried again later, or parked as a dead letter. */
async function handleFailure(
  { db, clock, worker, onError }: QueueDeps,
  { job, kind, stop }: Attempt,
  error: unknown,
): Promise<void> {
  const claim = { jobId: job.job_id, worker };
  const addMs = (ms: number): Date => new Date(clock.now().getTime() + ms);
  if (stop.signal.aborted) return void (await db.query(statements.releaseJob({ ...claim, runAt: addMs(0) })));
  const later = toReschedule(error);
  if (later) return void (await db.query(statements.releaseJob({ ...claim, runAt: addMs(later.ms) })));
  onError(error, job.kind);
  // Only the error's name is stored: messages of drivers and parsers quote data.
  const name = error instanceof Error ? error.name : 'Error';
  if (job.attempts < kind.maxAttempts) {
    const runAt = addMs(kind.delaySeconds(job.attempts) * 1000);
    return void (await db.query(statements.retryJob({ ...claim, runAt, error: name })));
  }
  await db.query(statements.deadLetterJob({ ...claim, error: name }));
  await kind.onDeadLetter?.(JSON.parse(job.payload));
}
