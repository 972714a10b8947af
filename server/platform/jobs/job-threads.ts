import type { Transferable } from 'node:worker_threads';
import type { Clock } from '../kernel/clock.ts';
import { startThread, type JobThread, type ThreadLimits } from './job-thread.ts';

export interface ThreadOptions {
  /** The module that calls `serveJobs`. */
  module: URL;
  /** What the next thread is started with. */
  createWorkerOptions(): { workerData: unknown; transferList: Transferable[] };
  clock: Clock;
  /**
   * Of the heap; a thread that needs more dies, and its job has failed. A last resort: one large piece of memory beyond it,
   * as an array that doubles, would make V8 end the whole process, so what jobs hold must be bounded by themselves.
   */
  memoryMB: number;
  limits: ThreadLimits;
  /** After a thread is gone, however it ended. */
  onExit(threadId: number): Promise<void>;
}

export interface JobThreads {
  /** Does one job in a thread of its own. Rejects as the job does, or with ThreadDiedError. */
  run(job: { kind: string; payload: unknown }, signal: AbortSignal): Promise<void>;
  /** Ends the threads. */
  stop(): Promise<void>;
}

/**
 * Does jobs away from the event loop that answers requests. A thread has one job at a time, so that a job that kills its
 * thread costs no other job an attempt; it is started for a job when none rests, and ended when it has rested for long.
 */
export function createJobThreads(options: ThreadOptions): JobThreads {
  const all = new Set<JobThread>();
  const idle = new Map<JobThread, NodeJS.Timeout>();

  function start(): JobThread {
    const thread = startThread(options);
    all.add(thread);
    const remove = (): void => void all.delete(wake(thread));
    thread.exited.then(remove, remove);
    return thread;
  }

  function wake(thread: JobThread): JobThread {
    clearTimeout(idle.get(thread));
    idle.delete(thread);
    return thread;
  }

  function markIdle(thread: JobThread): void {
    const closeIdle = (): void => void wake(thread).close();
    idle.set(thread, setTimeout(closeIdle, options.limits.idleMs).unref());
  }

  return {
    async run(job, signal) {
      signal.throwIfAborted();
      const idleThread = idle.keys().find((thread) => thread.isAlive());
      const thread = idleThread ? wake(idleThread) : start();
      try {
        await thread.run(job, signal);
      } finally {
        if (thread.isAlive()) markIdle(thread);
      }
    },
    async stop() {
      for (const thread of idle.keys()) wake(thread);
      await Promise.all([...all].map((thread) => thread.close()));
    },
  };
}
