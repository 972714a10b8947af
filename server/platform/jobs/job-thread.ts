import { Worker } from 'node:worker_threads';
import type { ThreadOptions } from './job-threads.ts';
import {
  deserializeError,
  serializeError,
  type WorkerCommand,
  type WorkerMessage,
} from './thread-messages.ts';

/** Milliseconds. */
export interface ThreadLimits {
  /** Without work, until its memory is given back. */
  idleMs: number;
  /** At work without a sign of life, until it is held to be lost in a computation. */
  heartbeatTimeoutMs: number;
  /** From being asked to end until it is ended. */
  graceMs: number;
}

/** The thread ended under its job: out of memory, lost in a computation, or by a mistake in the code. */
export class ThreadDiedError extends Error {
  override name = 'ThreadDiedError';
}

export interface JobThread {
  /** One at a time. */
  run(job: { kind: string; payload: unknown }, signal: AbortSignal): Promise<void>;
  isAlive(): boolean;
  /** Lets it close what it holds open, and ends it. */
  close(): Promise<void>;
  /** When nothing of it is left. */
  exited: Promise<void>;
}

/** A thread that does jobs. It keeps the process alive only while it is at work. */
export function startThread({
  module,
  createWorkerOptions,
  clock,
  memoryMB,
  limits,
  onExit,
}: ThreadOptions): JobThread {
  const worker = new Worker(module, {
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
        timer = setTimeout(() => lifetime.terminate('the thread did not end when asked'), limits.graceMs);
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
  /** Why the thread is no more, or soon will be. */
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

/** What the thread reports in the end; rejects when it can report nothing any more. */
function waitForOutcome(
  worker: Worker,
  lifetime: ThreadLifetime,
  heartbeatTimeoutMs: number,
): Promise<Outcome> {
  const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
  const onTimeout = (): void => lifetime.terminate('the thread gave no sign of life');
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
