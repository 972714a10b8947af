import { one, type Queryable, type Tx } from '../db/db.ts';
import { generateId } from '../kernel/ids.ts';
import type { JobKind } from './job-kind.ts';
import * as statements from './jobs.sql.ts';

/** Deletes a job in the transaction of what makes it superfluous, in whatever state it is. */
export async function cancelJob(tx: Tx, job: statements.JobKey): Promise<void> {
  await tx.query(statements.deleteJob(job));
}

/** Enqueues a job in a transaction whose process may not be the one that runs it: workers look for it each second. */
export async function enqueueJob(
  tx: Tx,
  job: Pick<statements.NewJob, 'kind' | 'uniqueKey' | 'payload' | 'now'>,
): Promise<void> {
  await tx.query(statements.insertJob({ ...job, jobId: generateId(), runAt: job.now }));
}

/** Makes a job due now that waits for its next try or is a dead letter. */
export async function expediteJob(tx: Tx, job: statements.JobKey, now: Date): Promise<void> {
  await tx.query(statements.expediteJob(job, now));
}

/** How much longer than their intervals recurring jobs may wait: they choose when they run next. */
const LATER_MS = 60_000;

/** Makes recurring jobs due now that wait for far longer than their intervals: a clock that was ahead has put them off. */
export async function bringForward(tx: Tx, jobs: readonly JobKind<never>[], now: Date): Promise<void> {
  const toLatest = ({ delaySeconds }: JobKind<never>): Date =>
    new Date(now.getTime() + 2 * delaySeconds(1) * 1000 + LATER_MS);
  await tx.query(statements.bringForward(new Map(jobs.map((job) => [job.kind, toLatest(job)])), now));
}

/** Says whether a job of the kind waits for a worker. */
export const hasDueJob = async (on: Queryable, kind: string, now: Date): Promise<boolean> =>
  (await one(on, statements.selectHasDue(kind, now))).due;

/** Finds which of these jobs a worker runs, or will run. */
export async function findDueKeys(
  tx: Tx,
  { kind, uniqueKeys }: { kind: string; uniqueKeys: readonly string[] },
): Promise<string[]> {
  return (await tx.query(statements.selectDueKeys(kind, uniqueKeys))).map(({ unique_key: key }) => key);
}
