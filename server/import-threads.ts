import { jobThreads, type JobThreads, type ThreadPlan } from './jobs/job-threads.ts';
import type { Clock } from './kernel/clock.ts';
import type { Db, ThreadStore } from './storage/db.ts';
import { sweepAfterThread } from './uploads/temporary-folder.ts';

/** What `import-thread.ts` is started with. */
export type ImportThreadData = Pick<ThreadStore, 'access'>;

/**
 * A record of 44,000 resources is read in a heap of 128 MB; the worst within the limits of an upload, three resources of
 * 31 MiB of narrative at a time, took between 384 and 512. A thread takes 0.3 s and 40 MB to start with.
 */
const LIMITS: Pick<ThreadPlan, 'memoryMB' | 'limits'> = {
  memoryMB: 1024,
  limits: { idle: 30_000, silence: 60_000, grace: 10_000 },
};

/** Threads in which uploads are read: nothing in an upload, however hostile, may hold up the answers to others. */
export const importThreads = (
  { db, clock }: { db: Db; clock: Clock },
  limits: typeof LIMITS = LIMITS,
): JobThreads =>
  jobThreads({
    ...limits,
    module: new URL('./import-thread.ts', import.meta.url),
    clock,
    given() {
      const { access, transfer } = db.forThread();
      const workerData: ImportThreadData = { access };
      return { workerData, transferList: [...transfer] };
    },
    gone: sweepAfterThread,
  });
