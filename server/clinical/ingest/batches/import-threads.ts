import {
  createJobThreads,
  type JobThreads,
  type StartThread,
  type ThreadOptions,
} from '../../../platform/jobs/job-threads.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import type { Db, ThreadHandle } from '../../../platform/db/db.ts';
import type { ObjectStoreConfig } from '../../../platform/objects/config.ts';
import { sweepAfterThread } from '../archive/temporary-folder.ts';

/** The `workerData` of an import thread. */
export interface ImportThreadData extends Pick<ThreadHandle, 'access'>, ImportThreadConfig {}

interface ImportThreadConfig {
  quotaBytes: number;
  objectStore: ObjectStoreConfig | null;
}

/**
 * A record of 44,000 resources is read in a heap of 128 MB; the worst within the limits of an upload, three resources of
 * 31 MiB of narrative at a time, took between 384 and 512. A thread takes 0.3 s and 40 MB to start with.
 */
const LIMITS: Pick<ThreadOptions, 'memoryMB' | 'limits'> = {
  memoryMB: 1024,
  limits: { idleMs: 30_000, heartbeatTimeoutMs: 60_000, graceMs: 10_000 },
};

/**
 * Creates the threads that read uploads. They run apart from the main thread: nothing in an
 * upload, however hostile, may hold up the answers to others.
 */
export const createImportThreads = (
  {
    db,
    clock,
    startThread,
    config,
  }: { db: Db; clock: Clock; startThread: StartThread; config: ImportThreadConfig },
  limits: typeof LIMITS = LIMITS,
): JobThreads =>
  createJobThreads({
    ...limits,
    startThread,
    clock,
    createWorkerOptions() {
      const { access, transfer } = db.createThreadHandle();
      const { quotaBytes, objectStore } = config;
      const workerData: ImportThreadData = { access, quotaBytes, objectStore };
      return { workerData, transferList: [...transfer] };
    },
    onExit: sweepAfterThread,
  });
