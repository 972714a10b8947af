import { parentPort, type MessagePort } from 'node:worker_threads';
import { readMonotonicMs, type Clock } from '../kernel/clock.ts';
import {
  deserializeError,
  serializeError,
  type WorkerCommand,
  type WorkerMessage,
} from './thread-messages.ts';

/** What a job runs with in a thread: `signal` asks it to end, and the time is that of the process. */
export interface JobContext {
  signal: AbortSignal;
  clock: Clock;
}

/** The handlers of a thread, by the kind of job. */
type JobHandlers = Readonly<Record<string, (payload: never, context: JobContext) => Promise<void>>>;

export interface ThreadJobs {
  handlers: JobHandlers;
  /** Closes what they use. */
  close(): Promise<void>;
}

const HEARTBEAT_MS = 1_000;

/** Runs in a thread the jobs that `createJobThreads` sends, one at a time, until it sends `close`. */
export function serveJobs({ handlers, close }: ThreadJobs, port: MessagePort | null = parentPort): void {
  const handlersByKind = new Map(Object.entries(handlers));
  let stop = new AbortController();
  const send = (message: WorkerMessage): void => port?.postMessage(message);

  async function run({ kind, payload, now }: { kind: string; payload: unknown; now: number }): Promise<void> {
    stop = new AbortController();
    const heartbeat = setInterval(() => send('alive'), HEARTBEAT_MS);
    try {
      const handler = handlersByKind.get(kind);
      if (!handler) throw new Error(`no handler for ${kind}`);
      await handler(payload as never, { signal: stop.signal, clock: createOffsetClock(now) });
      send('done');
    } catch (error) {
      send({ failed: serializeError(error) });
    } finally {
      clearInterval(heartbeat);
    }
  }

  port?.on('message', (command: WorkerCommand) => {
    if (command === 'close') void close().finally(() => port.close());
    else if ('abort' in command) stop.abort(deserializeError(command.abort));
    else void run(command.run);
  });
}

/** Continues from the time of the process, so that a clock that was moved there is moved here. */
function createOffsetClock(now: number): Clock {
  const startedAt = readMonotonicMs();
  return { now: () => new Date(now + readMonotonicMs() - startedAt) };
}
