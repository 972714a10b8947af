import { toLogMessage } from '../kernel/log-message.ts';
import { Reschedule, toReschedule } from './job-kind.ts';

/** What the process asks of a thread. `now` is the time of its clock, milliseconds. */
export type WorkerCommand =
  | { run: { kind: string; payload: unknown; now: number } }
  | { abort: SerializedError }
  | 'close';

/** What a thread answers; `alive` each second during a job, unless something blocks its event loop. */
export type WorkerMessage = 'done' | 'alive' | { failed: SerializedError };

/** An error between threads: a structured clone would have no class and lose its code. */
export interface SerializedError {
  name: string;
  message: string;
  stack?: string | undefined;
  code?: unknown;
  /** What the log may say of it. */
  logMessage?: string;
  /** The delay of a Reschedule. */
  ms?: number;
}

export function serializeError(error: unknown): SerializedError {
  if (!(error instanceof Error))
    return { name: 'Error', message: 'something was thrown that is not an Error' };
  const { name, message, stack } = error;
  const later = toReschedule(error);
  const code = 'code' in error && ['string', 'number'].includes(typeof error.code) ? error.code : undefined;
  return { name, message, stack, code, logMessage: toLogMessage(error), ...(later && { ms: later.ms }) };
}

export function deserializeError({ name, message, stack, code, logMessage, ms }: SerializedError): Error {
  if (ms !== undefined) return new Reschedule(ms);
  const error = new Error(message);
  error.name = name;
  if (stack !== undefined) error.stack = stack;
  return Object.assign(error, code !== undefined && { code }, logMessage !== undefined && { logMessage });
}
