import { parentPort } from 'node:worker_threads';
import type { Clock } from '../kernel/clock.ts';
import { errorOf, toldError, type Order, type Report } from './thread-messages.ts';

/** What a job is done with in a thread: its end is asked for by `signal`, and the time is the worker's. */
export interface Circumstances {
  signal: AbortSignal;
  clock: Clock;
}

/** How each kind of job is done here. */
export type Doings = Readonly<Record<string, (payload: never, given: Circumstances) => Promise<void>>>;

const ALIVE_MS = 1_000;

/** In a thread: does what `jobThreads` asks for, one job at a time, until it is told to close. */
export function serveJobs(doings: Doings, close: () => Promise<void>): void {
  const kinds = new Map(Object.entries(doings));
  let stop = new AbortController();
  const report = (told: Report): void => parentPort?.postMessage(told);

  async function run({ kind, payload, now }: { kind: string; payload: unknown; now: number }): Promise<void> {
    stop = new AbortController();
    const alive = setInterval(() => report('alive'), ALIVE_MS);
    try {
      const doing = kinds.get(kind);
      if (!doing) throw new Error(`no thread does ${kind}`);
      await doing(payload as never, { signal: stop.signal, clock: clockFrom(now) });
      report('done');
    } catch (error) {
      report({ failed: toldError(error) });
    } finally {
      clearInterval(alive);
    }
  }

  parentPort?.on('message', (order: Order) => {
    if (order === 'close') void close().finally(() => parentPort?.close());
    else if ('abort' in order) stop.abort(errorOf(order.abort));
    else void run(order.run);
  });
}

/** Goes on from the worker's time, so that a clock that was moved there is moved here. */
function clockFrom(now: number): Clock {
  const from = performance.now();
  return { now: () => new Date(now + performance.now() - from) };
}
