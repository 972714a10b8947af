import { Worker } from 'node:worker_threads';
import type { ThreadPlan } from './job-threads.ts';
import { errorOf, toldError, type Order, type Report } from './thread-messages.ts';

/** Milliseconds. */
export interface ThreadLimits {
  /** Without work, until its memory is given back. */
  idle: number;
  /** At work without a sign of life, until it is held to be lost in a computation. */
  silence: number;
  /** From being asked to end until it is ended. */
  grace: number;
}

/** The thread ended under its job: out of memory, lost in a computation, or by a mistake in the code. */
export class ThreadDied extends Error {
  override name = 'ThreadDied';
}

export interface JobThread {
  /** One at a time. */
  run(job: { kind: string; payload: unknown }, signal: AbortSignal): Promise<void>;
  alive(): boolean;
  /** Lets it close what it holds open, and ends it. */
  close(): Promise<void>;
  /** When nothing of it is left. */
  ended: Promise<void>;
}

/** A thread that does jobs. It keeps the process alive only while it is at work. */
export function startThread({ module, given, clock, memoryMB, limits, gone }: ThreadPlan): JobThread {
  const worker = new Worker(module, { ...given(), resourceLimits: { maxOldGenerationSizeMb: memoryMB } });
  const { threadId } = worker;
  const life = lifeOf(worker);
  const order = (message: Order): void => worker.postMessage(message);
  worker.unref();

  return {
    async run(job, signal) {
      let patience: NodeJS.Timeout | undefined;
      const abort = (): void => {
        order({ abort: toldError(signal.reason) });
        patience = setTimeout(() => life.end('the thread did not end when asked'), limits.grace);
      };
      worker.ref();
      signal.addEventListener('abort', abort);
      try {
        const reported = outcomeOf(worker, life, limits.silence);
        order({ run: { ...job, now: clock.now().getTime() } });
        const report = await reported;
        if (report !== 'done') throw errorOf(report.failed);
      } finally {
        signal.removeEventListener('abort', abort);
        clearTimeout(patience);
        worker.unref();
      }
    },
    alive: () => life.died === null,
    async close() {
      order('close');
      const patience = setTimeout(() => void worker.terminate(), limits.grace);
      await life.exited;
      clearTimeout(patience);
    },
    ended: life.exited.then(() => gone(threadId)),
  };
}

interface Life {
  /** Why the thread is no more, or soon will be. */
  died: ThreadDied | null;
  end(why: string): void;
  exited: Promise<void>;
}

function lifeOf(worker: Worker): Life {
  const life: Life = {
    died: null,
    end(why) {
      life.died ??= new ThreadDied(why);
      void worker.terminate();
    },
    exited: new Promise((resolve) =>
      worker.once('exit', () => {
        life.died ??= new ThreadDied('the thread ended');
        resolve();
      }),
    ),
  };
  worker.on('error', (error: NodeJS.ErrnoException) => {
    life.died ??= new ThreadDied(`the thread died: ${error.code ?? error.name}`, { cause: error });
  });
  return life;
}

type Outcome = Exclude<Report, 'alive'>;

/** What the thread reports in the end; rejects when it can report nothing any more. */
function outcomeOf(worker: Worker, life: Life, silenceMs: number): Promise<Outcome> {
  const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
  const lost = (): void => life.end('the thread gave no sign of life');
  let silence = setTimeout(lost, silenceMs);
  const hear = (report: Report): void => {
    clearTimeout(silence);
    if (report === 'alive') silence = setTimeout(lost, silenceMs);
    else resolve(report);
  };
  const exit = (): void => reject(life.died ?? new ThreadDied('the thread ended'));
  worker.on('message', hear).on('exit', exit);
  return promise.finally(() => {
    clearTimeout(silence);
    worker.off('message', hear).off('exit', exit);
  });
}
