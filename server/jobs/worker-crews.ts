import type { JobKind } from './kinds.ts';
import { jobWorker, type JobWorker, type WorkerDeps } from './worker.ts';

interface CrewPlan {
  kinds: readonly JobKind<never>[];
  /** Jobs at a time. */
  concurrency: number;
}

/** Several crews as one worker, so that quick work does not wait behind slow work. A kind belongs to one crew. */
export function workerCrews(deps: WorkerDeps, plans: readonly CrewPlan[]): JobWorker {
  const crews = plans.map((plan) => ({ plan, worker: jobWorker({ ...deps, ...plan }) }));
  const byKind = new Map(
    crews.flatMap(({ plan, worker }) => plan.kinds.map(({ kind }) => [kind, worker] as const)),
  );
  return {
    async enqueue(tx, job) {
      const worker = byKind.get(job.kind);
      if (!worker) throw new Error(`nobody works on ${job.kind}`);
      await worker.enqueue(tx, job);
    },
    async start() {
      for (const { worker } of crews) await worker.start();
    },
    async drain() {
      // What one crew did may have made work for another.
      for (let round = 0; round < 2; round++) for (const { worker } of crews) await worker.drain();
    },
    async stop() {
      await Promise.all(crews.map(({ worker }) => worker.stop()));
    },
  };
}
