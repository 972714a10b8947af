import { parentPort } from 'node:worker_threads';
import type { Clock } from '../kernel/clock.ts';
import {
  deserializeError,
  serializeError,
  type WorkerCommand,
  type WorkerMessage,
} from './thread-messages.ts';

/** What a job is done with in a thread: its end is asked for by `signal`, and the time is the worker's. */
export interface JobContext {
  signal: AbortSignal;
  clock: Clock;
}

/** How each kind of job is done here. */
export type JobHandlers = Readonly<Record<string, (payload: never, context: JobContext) => Promise<void>>>;

const HEARTBEAT_MS = 1_000;

/** In a thread: does what `jobThreads` asks for, one job at a time, until it is told to close. */
export function serveJobs(handlers: JobHandlers, close: () => Promise<void>): void {
  const handlersByKind = new Map(Object.entries(handlers));
  let stop = new AbortController();
  const send = (message: WorkerMessage): void => parentPort?.postMessage(message);

  async function run({ kind, payload, now }: { kind: string; payload: unknown; now: number }): Promise<void> {
    stop = new AbortController();
    const heartbeat = setInterval(() => send('alive'), HEARTBEAT_MS);
    try {
      const handler = handlersByKind.get(kind);
      if (!handler) throw new Error(`no thread does ${kind}`);
      await handler(payload as never, { signal: stop.signal, clock: createOffsetClock(now) });
      send('done');
    } catch (error) {
      send({ failed: serializeError(error) });
    } finally {
      clearInterval(heartbeat);
    }
  }

  parentPort?.on('message', (command: WorkerCommand) => {
    if (command === 'close') void close().finally(() => parentPort?.close());
    else if ('abort' in command) stop.abort(deserializeError(command.abort));
    else void run(command.run);
  });
}

/** Goes on from the worker's time, so that a clock that was moved there is moved here. */
function createOffsetClock(now: number): Clock {
  const startedAt = performance.now();
  return { now: () => new Date(now + performance.now() - startedAt) };
}
