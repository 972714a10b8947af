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
  let alive = true;
  let died = new ThreadDied('the thread ended');
  const ending = (why = died): void => {
    alive = false;
    died = why;
  };
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve(ending())));
  worker.on('error', (error: NodeJS.ErrnoException) =>
    ending(new ThreadDied(`the thread died: ${error.code ?? error.name}`, { cause: error })),
  );
  const order = (message: Order): void => worker.postMessage(message);
  worker.unref();

  async function kill(why: ThreadDied): Promise<void> {
    ending(why);
    await worker.terminate();
  }

  /** What the thread reports in the end; rejects when it can report nothing any more. */
  function outcome(): Promise<Exclude<Report, 'alive'>> {
    const { promise, resolve, reject } = Promise.withResolvers<Exclude<Report, 'alive'>>();
    const lost = (): void => void kill(new ThreadDied('the thread gave no sign of life'));
    let silence = setTimeout(lost, limits.silence);
    const hear = (report: Report): void => {
      clearTimeout(silence);
      if (report === 'alive') silence = setTimeout(lost, limits.silence);
      else resolve(report);
    };
    const exit = (): void => reject(died);
    worker.on('message', hear).on('exit', exit);
    return promise.finally(() => {
      clearTimeout(silence);
      worker.off('message', hear).off('exit', exit);
    });
  }

  return {
    async run(job, signal) {
      let patience: NodeJS.Timeout | undefined;
      const abort = (): void => {
        order({ abort: toldError(signal.reason) });
        patience = setTimeout(
          () => void kill(new ThreadDied('the thread did not end when asked')),
          limits.grace,
        );
      };
      worker.ref();
      signal.addEventListener('abort', abort);
      try {
        const reported = outcome();
        order({ run: { ...job, now: clock.now().getTime() } });
        const report = await reported;
        if (report !== 'done') throw errorOf(report.failed);
      } finally {
        signal.removeEventListener('abort', abort);
        clearTimeout(patience);
        worker.unref();
      }
    },
    alive: () => alive,
    async close() {
      order('close');
      const patience = setTimeout(() => void worker.terminate(), limits.grace);
      await exited;
      clearTimeout(patience);
    },
    ended: exited.then(() => gone(threadId)),
  };
}
