import { raw, sql, type Sql } from '../db/sql.ts';

export interface JobRow {
  job_id: string;
  kind: string;
  payload: string;
  attempts: number;
}

/** At most one job of a kind exists for a key. */
export interface JobKey {
  kind: string;
  uniqueKey: string;
}

export interface NewJob extends JobKey {
  jobId: string;
  payload: unknown;
  runAt: Date;
  now: Date;
}

export const insertJob = (job: NewJob) => sql`
  insert into job (job_id, kind, unique_key, payload, run_at, created_at)
  values (${job.jobId}, ${job.kind}, ${job.uniqueKey}, ${JSON.stringify(job.payload)}, ${job.runAt}, ${job.now})
  on conflict (kind, unique_key) do nothing`;

/** One statement for all queues: whether anything is due in each. */
export const findDueQueues = (conditions: readonly Sql[]): Sql<{ due: boolean[] }> => {
  const list = conditions
    .map((condition) => sql`(${condition})`)
    .reduce((all, condition) => sql`${all}, ${condition}`);
  return sql`select array[${list}] as due`;
};

/** One step on the index for each kind. */
export const hasDueJobs = (kinds: readonly string[], now: Date): Sql => sql`
  exists (select from unnest(${kinds}::text[]) k(kind) cross join lateral (
    select from job j where j.state = 'due' and j.kind = k.kind and j.run_at <= ${now} limit 1) due)`;

export const selectHasDue = (kind: string, now: Date) =>
  sql<{ due: boolean }>`select ${hasDueJobs([kind], now)} as due`;

/** The values of a key of payloads that have as many jobs as they may. */
export interface FullShare {
  key: string;
  values: readonly string[];
}

/** A condition on a row `j` of `job`: its payload has none of the values that have their share. */
const isOfOthers = (full: readonly FullShare[]): Sql =>
  full.reduce(
    (condition, { key, values }) =>
      values.length === 0
        ? condition
        : sql`${condition} and coalesce(j.payload ->> ${key}, '') <> all(${values}::text[])`,
    raw('true'),
  );

/**
 * Claims due jobs for `worker`; a job whose worker died is due again when its lease ends. Kind by kind, so that many jobs
 * of one kind are not sorted to find the next of another. `array`, because the planner may run the select of an `in` once
 * for each row, and every time it finds others that are not locked yet.
 */
export const claimJobs = (claim: {
  worker: string;
  kinds: readonly string[];
  now: Date;
  leaseUntil: Date;
  limit: number;
  /** Leaves those alone whose payload has one of these values under its key. */
  full?: readonly FullShare[];
}) => sql<JobRow>`
  update job set leased_by = ${claim.worker}, run_at = ${claim.leaseUntil}, attempts = attempts + 1
  where job_id = any(array(
    select due.job_id from unnest(${claim.kinds}::text[]) k(kind) cross join lateral (
      select j.job_id, j.run_at from job j
      where j.state = 'due' and j.kind = k.kind and j.run_at <= ${claim.now} and ${isOfOthers(claim.full ?? [])}
      order by j.run_at limit ${claim.limit}
      for update skip locked) due
    order by due.run_at limit ${claim.limit}))
  returning job_id, kind, payload, attempts`;

/** Returns no row when another worker has claimed the job since. */
export const extendLease = (job: { jobId: string; worker: string; leaseUntil: Date }) => sql<{
  job_id: string;
}>`
  update job set run_at = ${job.leaseUntil} where job_id = ${job.jobId} and leased_by = ${job.worker} returning job_id`;

export const finishJob = (job: { jobId: string; worker: string }) => sql`
  delete from job where job_id = ${job.jobId} and leased_by = ${job.worker}`;

export const retryJob = (job: { jobId: string; worker: string; runAt: Date; error: string }) => sql`
  update job set leased_by = null, run_at = ${job.runAt}, last_error = ${job.error}
  where job_id = ${job.jobId} and leased_by = ${job.worker}`;

export const deadLetterJob = (job: { jobId: string; worker: string; error: string }) => sql`
  update job set leased_by = null, state = 'parked', last_error = ${job.error}
  where job_id = ${job.jobId} and leased_by = ${job.worker}`;

/** Releases a job without counting the attempt: the process is stopping, or it was too early. */
export const releaseJob = (job: { jobId: string; worker: string; runAt: Date }) => sql`
  update job set leased_by = null, run_at = ${job.runAt}, attempts = attempts - 1
  where job_id = ${job.jobId} and leased_by = ${job.worker}`;

/**
 * Makes leased jobs due, and those that stand by for what a process does: on the embedded store no other process can be working on
 * either. One that has failed waits on.
 */
export const releaseAllJobs = (
  { kinds, standby }: { kinds: readonly string[]; standby: readonly string[] },
  now: Date,
) => sql`
  update job set leased_by = null, run_at = ${now}
  where state = 'due' and kind = any(${kinds}::text[])
    and (leased_by is not null or attempts = 0 and kind = any(${standby}::text[]))`;

/** Deletes a job in whatever state it is; a worker that runs it finds its lease lost. */
export const deleteJob = ({ kind, uniqueKey }: JobKey) => sql`
  delete from job where kind = ${kind} and unique_key = ${uniqueKey}`;

/** Makes a job due now that waits for its next try or is a dead letter. */
export const expediteJob = ({ kind, uniqueKey }: JobKey, now: Date) => sql`
  update job set run_at = ${now}, state = 'due', attempts = 0
  where kind = ${kind} and unique_key = ${uniqueKey} and leased_by is null`;

/** Makes what recurs due now where it waits for later than `latest`, by kind: it was put off by a clock that was ahead. */
export const bringForward = (latest: ReadonlyMap<string, Date>, now: Date) => sql`
  update job set run_at = ${now}
  from unnest(${[...latest.keys()]}::text[], ${[...latest.values()]}::timestamptz[]) as l(kind, latest)
  where job.kind = l.kind and job.unique_key = 'all' and job.state = 'due' and job.run_at > l.latest`;

/** An expression: when the job of a kind and a key, which may be columns of the query around it, is due; null: there is none. */
export const selectDueAt = (kind: string, uniqueKey: Sql): Sql => sql`(
  select due.run_at from job due where due.kind = ${kind} and due.unique_key = ${uniqueKey} and due.state = 'due')`;

/** Selects which of these jobs run now or will: all but the dead letters and those that have ended. */
export const selectDueKeys = (kind: string, uniqueKeys: readonly string[]) => sql<{ unique_key: string }>`
  select unique_key from job where kind = ${kind} and unique_key = any(${uniqueKeys}::text[]) and state = 'due'`;

export interface DeadLetterRow {
  job_id: string;
  kind: string;
  attempts: number;
  last_error: string | null;
  created_at: Date;
}

/** Dead letters, oldest first; without their payloads, which may name patients. */
export const findDeadLetters = () => sql<DeadLetterRow>`
  select job_id, kind, attempts, last_error, created_at from job where state = 'parked' order by created_at, job_id`;

/** Makes dead letters due again: one, or all of them. */
export const requeueJobs = (jobId: string | null, now: Date) => sql<{ job_id: string }>`
  update job set state = 'due', attempts = 0, run_at = ${now}
  where state = 'parked' and (${jobId}::uuid is null or job_id = ${jobId}::uuid)
  returning job_id`;

/** Counts the jobs of each kind that are due (now, later, or claimed) and those that are dead letters. */
export const countJobs = () => sql<{ kind: string; state: 'due' | 'parked'; jobs: number; oldest: Date }>`
  select kind, state, count(*) as jobs, min(run_at) as oldest from job group by kind, state`;

/** Selects the kinds of which a job has been due since before a time, and nobody has taken it. */
export const selectWaitingKinds = (since: Date) => sql<{ kind: string }>`
  select distinct kind from job where state = 'due' and leased_by is null and run_at < ${since} order by kind`;
