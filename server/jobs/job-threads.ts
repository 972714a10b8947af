import type { Transferable } from 'node:worker_threads';
import type { Clock } from '../kernel/clock.ts';
import { startThread, type JobThread, type ThreadLimits } from './job-thread.ts';

export interface ThreadPlan {
  /** The module that calls `serveJobs`. */
  module: URL;
  /** What the next thread is started with. */
  given(): { workerData: unknown; transferList: Transferable[] };
  clock: Clock;
  /**
   * Of the heap; a thread that needs more dies, and its job has failed. A last resort: one large piece of memory beyond it,
   * as an array that doubles, would make V8 end the whole process, so what jobs hold must be bounded by themselves.
   */
  memoryMB: number;
  limits: ThreadLimits;
  /** After a thread is gone, however it ended. */
  gone(threadId: number): Promise<void>;
}

export interface JobThreads {
  /** Does one job in a thread of its own. Rejects as the job does, or with ThreadDied. */
  run(job: { kind: string; payload: unknown }, signal: AbortSignal): Promise<void>;
  /** Ends the threads. */
  stop(): Promise<void>;
}

/**
 * Does jobs away from the event loop that answers requests. A thread has one job at a time, so that a job that kills its
 * thread costs no other job an attempt; it is started for a job when none rests, and ended when it has rested for long.
 */
export function jobThreads(plan: ThreadPlan): JobThreads {
  const all = new Set<JobThread>();
  const resting = new Map<JobThread, NodeJS.Timeout>();

  function start(): JobThread {
    const thread = startThread(plan);
    all.add(thread);
    const forget = (): void => void all.delete(wake(thread));
    thread.ended.then(forget, forget);
    return thread;
  }

  function wake(thread: JobThread): JobThread {
    clearTimeout(resting.get(thread));
    resting.delete(thread);
    return thread;
  }

  function rest(thread: JobThread): void {
    const end = (): void => void wake(thread).close();
    resting.set(thread, setTimeout(end, plan.limits.idle).unref());
  }

  return {
    async run(job, signal) {
      signal.throwIfAborted();
      const rested = resting.keys().find((thread) => thread.alive());
      const thread = rested ? wake(rested) : start();
      try {
        await thread.run(job, signal);
      } finally {
        if (thread.alive()) rest(thread);
      }
    },
    async stop() {
      for (const thread of resting.keys()) wake(thread);
      await Promise.all([...all].map((thread) => thread.close()));
    },
  };
}
