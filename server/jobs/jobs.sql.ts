import { sql } from '../storage/sql.ts';

export interface JobRow {
  job_id: string;
  kind: string;
  payload: string;
  attempts: number;
}

export interface NewJob {
  jobId: string;
  kind: string;
  uniqueKey: string;
  payload: unknown;
  runAt: Date;
  now: Date;
}

export const insertJob = (job: NewJob) => sql`
  insert into job (job_id, kind, unique_key, payload, run_at, created_at)
  values (${job.jobId}, ${job.kind}, ${job.uniqueKey}, ${JSON.stringify(job.payload)}, ${job.runAt}, ${job.now})
  on conflict (kind, unique_key) do nothing`;

/**
 * Takes due jobs for `worker`; a job whose worker died is due again when its lease ends. `array`, because the planner
 * may run the select of an `in` once for each row, and every time it finds others that are not locked yet.
 */
export const claimJobs = (claim: {
  worker: string;
  kinds: readonly string[];
  now: Date;
  leaseUntil: Date;
  most: number;
}) => sql<JobRow>`
  update job set leased_by = ${claim.worker}, run_at = ${claim.leaseUntil}, attempts = attempts + 1
  where job_id = any(array(
    select job_id from job
    where state = 'due' and run_at <= ${claim.now} and kind = any(${claim.kinds}::text[])
    order by run_at limit ${claim.most}
    for update skip locked))
  returning job_id, kind, payload, attempts`;

/** Answers nothing when another worker has taken the job since. */
export const extendLease = (job: { jobId: string; worker: string; leaseUntil: Date }) => sql<{
  job_id: string;
}>`
  update job set run_at = ${job.leaseUntil} where job_id = ${job.jobId} and leased_by = ${job.worker} returning job_id`;

export const finishJob = (job: { jobId: string; worker: string }) => sql`
  delete from job where job_id = ${job.jobId} and leased_by = ${job.worker}`;

export const retryJob = (job: { jobId: string; worker: string; runAt: Date; error: string }) => sql`
  update job set leased_by = null, run_at = ${job.runAt}, last_error = ${job.error}
  where job_id = ${job.jobId} and leased_by = ${job.worker}`;

export const parkJob = (job: { jobId: string; worker: string; error: string }) => sql`
  update job set leased_by = null, state = 'parked', last_error = ${job.error}
  where job_id = ${job.jobId} and leased_by = ${job.worker}`;

/** Gives back a job that was not at fault: the process is stopping, or its time has not come. */
export const releaseJob = (job: { jobId: string; worker: string; runAt: Date }) => sql`
  update job set leased_by = null, run_at = ${job.runAt}, attempts = attempts - 1
  where job_id = ${job.jobId} and leased_by = ${job.worker}`;

/** On the embedded store no other process can be working: what was leased when we died is due now. */
export const releaseAllJobs = (kinds: readonly string[], now: Date) => sql`
  update job set leased_by = null, run_at = ${now}
  where leased_by is not null and state = 'due' and kind = any(${kinds}::text[])`;
