import { bringForward, expediteJob } from './platform/jobs/jobs.ts';
import { createRecurringJob } from './platform/jobs/recurring-job.ts';
import { createJobWorker, type JobWorker } from './platform/jobs/worker.ts';
import type { WorkerPool } from './platform/jobs/worker-pool.ts';
import { withDeadline } from './platform/kernel/with-deadline.ts';
import type { SecretState } from './platform/keys/secret-seal.ts';
import { countStoredSecrets, sealStoredSecrets } from './platform/keys/stored-secrets.ts';
import type { Platform } from './platform/platform.ts';
import type { Wing } from './platform/wing.ts';

const HOUR_MS = 3600 * 1000;

/** Mails, receipts and recurring work at a time. */
const QUICK_CONCURRENCY = 8;

/** How long a stop waits for jobs; what goes on is taken over when its lease ends. An attempt at a webhook has five seconds. */
const JOBS_END_WITHIN_MS = 7_000;

export interface ServiceWorker extends JobWorker {
  /** Enqueues what recurs, unless another node did; what has work that waits for no turn is due at once. */
  enqueueRecurringJobs(): Promise<void>;
  /** Counts the stored secrets by how they are stored. */
  countSecrets(): Promise<Record<SecretState, number>>;
  /** Makes what first requests would wait for; where it fails, they do. */
  prepare(): Promise<void>;
}

/** All work that no request waits for: the pools of the wings, one for their quick jobs, and `extraPools` for other queues. */
export function createServiceWorker(
  { db, clock, secrets, telemetry, onJobError, mayClaim }: Platform,
  wings: readonly Wing[],
  extraPools: readonly WorkerPool[],
): ServiceWorker {
  // What it deletes has expired, and is refused anyway: nothing relies on it.
  const housekeeping = createRecurringJob('housekeeping', HOUR_MS, async (signal) => {
    for (const wing of wings) await wing.purge?.(signal);
  });
  const secretStores = wings.flatMap((wing) => wing.secretStores ?? []);
  const sealing = createRecurringJob('secrets.seal', HOUR_MS, (signal) =>
    sealStoredSecrets(secrets, secretStores, signal),
  );
  const recurring = [
    housekeeping,
    ...(secrets.isKeyed ? [sealing] : []),
    ...wings.flatMap((wing) => wing.recurringJobs ?? []),
  ];
  const pools = wings.flatMap((wing) => wing.pools ?? []);
  const inPools = pools.flatMap(({ kinds }) => kinds.filter(({ isRecurring }) => isRecurring));
  const quick = wings.flatMap((wing) => wing.quickJobs ?? []);
  const worker = createJobWorker(
    { db, clock, onError: onJobError, telemetry, mayClaim },
    [...pools, { kinds: [...quick, ...recurring], concurrency: QUICK_CONCURRENCY }],
    extraPools,
  );
  return {
    ...worker,
    async stop() {
      await withDeadline(JOBS_END_WITHIN_MS, worker.stop()).catch((error: unknown) =>
        onJobError(error, 'stop'),
      );
      for (const wing of wings) await wing.close?.();
    },
    countSecrets: () => countStoredSecrets(secrets, secretStores),
    async prepare() {
      for (const wing of wings) await wing.prepare?.().catch(() => {});
    },
    enqueueRecurringJobs: () =>
      db.tx(async (tx) => {
        for (const job of [...recurring, ...inPools]) {
          const key = { kind: job.kind, uniqueKey: 'all' };
          await worker.enqueue(tx, { ...key, payload: {} });
          if ((await job.hasWork?.(tx)) === true) await expediteJob(tx, key, clock.now());
        }
        await bringForward(tx, [...recurring, ...inPools], clock.now());
      }),
  };
}
