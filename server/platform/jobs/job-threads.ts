import { LoggableError } from '../kernel/log-message.ts';
import type { Transferable, Worker, WorkerOptions } from 'node:worker_threads';
import type { Clock } from '../kernel/clock.ts';
import {
  deserializeError,
  serializeError,
  type WorkerCommand,
  type WorkerMessage,
} from './thread-messages.ts';

/** Starts a thread whose module calls `serveJobs`. */
export type StartThread = (options: WorkerOptions) => Worker;

export interface ThreadOptions {
  startThread: StartThread;
  /** Creates what the next thread is started with. */
  createWorkerOptions(): { workerData: unknown; transferList: Transferable[] };
  clock: Clock;
  /**
   * The limit of a thread's heap; a thread that needs more dies, and its job fails. A last resort: a single allocation
   * beyond it, such as an array that doubles, makes V8 end the whole process, so jobs must bound their own memory.
   */
  memoryMB: number;
  limits: ThreadLimits;
  /** Runs after a thread has ended, however it did. */
  onExit(threadId: number): Promise<void>;
}

/** Milliseconds. */
interface ThreadLimits {
  /** How long an idle thread is kept until its memory is released. */
  idleMs: number;
  /** How long a busy thread may send no heartbeat until it is held to be stuck in a computation. */
  heartbeatTimeoutMs: number;
  /** How long a thread has to end when it is asked to, until it is terminated. */
  graceMs: number;
}

export interface JobThreads {
  /** Runs one job in a thread of its own. Rejects as the job does, or with ThreadDiedError. */
  run(job: { kind: string; payload: unknown }, signal: AbortSignal): Promise<void>;
  /** Ends the threads. */
  stop(): Promise<void>;
}

/**
 * Runs jobs away from the event loop that answers requests. A thread has one job at a time, so that a job that kills its
 * thread costs no other job an attempt; a thread is started when none is idle, and ended when it was idle for long.
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

/** The thread ended during its job: out of memory, stuck in a computation, or by a fault in the code. */
export class ThreadDiedError extends LoggableError {
  override name = 'ThreadDiedError';
}

interface JobThread {
  /** Runs one job at a time. */
  run(job: { kind: string; payload: unknown }, signal: AbortSignal): Promise<void>;
  isAlive(): boolean;
  /** Lets the thread close its connections, and ends it. */
  close(): Promise<void>;
  /** Resolves when nothing of the thread is left. */
  exited: Promise<void>;
}

/** Starts a thread that runs jobs. It keeps the process alive only while it runs one. */
function startThread({
  startThread: startWorker,
  createWorkerOptions,
  clock,
  memoryMB,
  limits,
  onExit,
}: ThreadOptions): JobThread {
  const worker = startWorker({
    ...createWorkerOptions(),
    resourceLimits: { maxOldGenerationSizeMb: memoryMB },
  });
  const { threadId } = worker;
  const lifetime = trackLifetime(worker);
  const send = (message: WorkerCommand): void => worker.postMessage(message);
  worker.unref();

  return {
    async run(job, signal) {
      let timer: NodeJS.Timeout | undefined;
      const abort = (): void => {
        send({ abort: serializeError(signal.reason) });
        timer = setTimeout(() => lifetime.terminate('the thread did not end in time'), limits.graceMs);
      };
      worker.ref();
      signal.addEventListener('abort', abort);
      try {
        const outcome = waitForOutcome(worker, lifetime, limits.heartbeatTimeoutMs);
        send({ run: { ...job, now: clock.now().getTime() } });
        const result = await outcome;
        if (result !== 'done') throw deserializeError(result.failed);
      } finally {
        signal.removeEventListener('abort', abort);
        clearTimeout(timer);
        worker.unref();
      }
    },
    isAlive: () => lifetime.failure === null,
    async close() {
      send('close');
      const timer = setTimeout(() => void worker.terminate(), limits.graceMs);
      await lifetime.exited;
      clearTimeout(timer);
    },
    exited: lifetime.exited.then(() => onExit(threadId)),
  };
}

interface ThreadLifetime {
  /** Why the thread has ended, or is about to; null while it lives. */
  failure: ThreadDiedError | null;
  terminate(reason: string): void;
  exited: Promise<void>;
}

function trackLifetime(worker: Worker): ThreadLifetime {
  const lifetime: ThreadLifetime = {
    failure: null,
    terminate(reason) {
      lifetime.failure ??= new ThreadDiedError(reason);
      void worker.terminate();
    },
    exited: new Promise((resolve) =>
      worker.once('exit', () => {
        lifetime.failure ??= new ThreadDiedError('the thread ended');
        resolve();
      }),
    ),
  };
  worker.on('error', (error: NodeJS.ErrnoException) => {
    lifetime.failure ??= new ThreadDiedError(`the thread died: ${error.code ?? error.name}`, {
      cause: error,
    });
  });
  return lifetime;
}

type Outcome = Exclude<WorkerMessage, 'alive'>;

/** Resolves with what the thread reports at the end of a job; rejects when it can report nothing any more. */
function waitForOutcome(
  worker: Worker,
  lifetime: ThreadLifetime,
  heartbeatTimeoutMs: number,
): Promise<Outcome> {
  const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
  const onTimeout = (): void => lifetime.terminate('the thread sent no heartbeat');
  let heartbeatTimer = setTimeout(onTimeout, heartbeatTimeoutMs);
  const onMessage = (message: WorkerMessage): void => {
    clearTimeout(heartbeatTimer);
    if (message === 'alive') heartbeatTimer = setTimeout(onTimeout, heartbeatTimeoutMs);
    else resolve(message);
  };
  const onExit = (): void => reject(lifetime.failure ?? new ThreadDiedError('the thread ended'));
  worker.on('message', onMessage).on('exit', onExit);
  return promise.finally(() => {
    clearTimeout(heartbeatTimer);
    worker.off('message', onMessage).off('exit', onExit);
  });
}
