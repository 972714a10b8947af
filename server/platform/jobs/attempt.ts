import type { Clock } from '../kernel/clock.ts';
import type { Db } from '../db/db.ts';
import * as statements from './jobs.sql.ts';
import { Reschedule, type JobKind } from './job-kind.ts';

export const LEASE_MS = 30_000;

/** How often the process may die over a job, beyond its attempts, until the job is held to be the cause. */
const MAX_CRASHES = 20;

class WorkerCrashError extends Error {
  override name = 'WorkerCrashError';
}

export interface WorkerDeps {
  db: Db;
  clock: Clock;
  onError(error: unknown, kind: string): void;
}

interface AttemptDeps extends WorkerDeps {
  /** This crew's id. */
  worker: string;
}

interface Attempt {
  job: statements.JobRow;
  kind: JobKind;
  stop: AbortController;
}

/** One attempt at a job, its lease kept alive meanwhile; never throws. */
export async function attemptJob(deps: AttemptDeps, { job, kind, stop }: Attempt): Promise<void> {
  const { db, worker, onError } = deps;
  const heartbeat = startHeartbeat(deps, job, stop);
  try {
    if (job.attempts > kind.maxAttempts + MAX_CRASHES) throw new WorkerCrashError();
    await kind.run(JSON.parse(job.payload), stop.signal);
    await db.query(statements.finishJob({ jobId: job.job_id, worker }));
  } catch (error) {
    await handleFailure(deps, { job, kind, stop }, error).catch((failure: unknown) =>
      onError(failure, job.kind),
    );
  } finally {
    clearInterval(heartbeat);
  }
}

/** A job whose lease was lost is another worker's now: its attempt is asked to end. */
function startHeartbeat(
  { db, clock, worker, onError }: AttemptDeps,
  job: statements.JobRow,
  stop: AbortController,
): NodeJS.Timeout {
  return setInterval(() => {
    const leaseUntil = new Date(clock.now().getTime() + LEASE_MS);
    db.query(statements.extendLease({ jobId: job.job_id, worker, leaseUntil })).then(
      (rows) => rows.length === 0 && stop.abort(new Error('the lease was lost')),
      (error: unknown) => onError(error, job.kind),
    );
  }, LEASE_MS / 3);
}

/** After a failure: given back, tried again later, or parked for a person to look at. */
async function handleFailure(
  { db, clock, worker, onError }: AttemptDeps,
  { job, kind, stop }: Attempt,
  error: unknown,
): Promise<void> {
  const claim = { jobId: job.job_id, worker };
  const addMs = (ms: number): Date => new Date(clock.now().getTime() + ms);
  if (stop.signal.aborted) return void (await db.query(statements.releaseJob({ ...claim, runAt: addMs(0) })));
  if (error instanceof Reschedule)
    return void (await db.query(statements.releaseJob({ ...claim, runAt: addMs(error.ms) })));
  onError(error, job.kind);
  // Only the error's kind is kept: messages of drivers and parsers quote data.
  const name = error instanceof Error ? error.name : 'Error';
  if (job.attempts < kind.maxAttempts) {
    const runAt = addMs(kind.delaySeconds(job.attempts) * 1000);
    return void (await db.query(statements.retryJob({ ...claim, runAt, error: name })));
  }
  await db.query(statements.deadLetterJob({ ...claim, error: name }));
  await kind.onDeadLetter?.(JSON.parse(job.payload));
}
