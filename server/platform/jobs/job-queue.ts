import { generateId } from '../kernel/ids.ts';
import { attemptJob, LEASE_MS, type WorkerDeps } from './attempt.ts';
import type { Queue } from './worker-pool.ts';
import * as statements from './jobs.sql.ts';
import type { JobKind } from './job-kind.ts';

/** The jobs of some kinds, for a crew of this node. */
export function createJobQueue(deps: WorkerDeps, kinds: readonly JobKind<never>[]): Queue<statements.JobRow> {
  const { db, clock } = deps;
  const worker: string = generateId();
  const byKind = new Map(kinds.map((kind) => [kind.kind, kind as JobKind]));
  const names = [...byKind.keys()];
  return {
    getId: (job) => job.job_id,
    buildDueCondition: (now) => statements.hasDueJobs(names, now),
    claim(limit) {
      const now = clock.now();
      const leaseUntil = new Date(now.getTime() + LEASE_MS);
      return db.query(statements.claimJobs({ worker, kinds: names, now, leaseUntil, limit }));
    },
    attempt: (job, stop) =>
      attemptJob({ ...deps, worker }, { job, kind: byKind.get(job.kind) as JobKind, stop }),
    async release(jobs) {
      const runAt = clock.now();
      for (const { job_id: jobId } of jobs) await db.query(statements.releaseJob({ jobId, worker, runAt }));
    },
    releaseAll: async () => void (await db.query(statements.releaseAllJobs(names, clock.now()))),
  };
}
