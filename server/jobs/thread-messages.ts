import { RunLater } from './kinds.ts';

/** What a worker asks of a thread. `now` is its clock's time, milliseconds. */
export type Order = { run: { kind: string; payload: unknown; now: number } } | { abort: Told } | 'close';

/** What a thread answers; `alive` each second while it works, unless something holds up its event loop. */
export type Report = 'done' | 'alive' | { failed: Told };

/** An error as it goes between threads: a clone would be of no class and lose its code. */
export interface Told {
  name: string;
  message: string;
  stack?: string | undefined;
  code?: unknown;
  /** Of a RunLater. */
  ms?: number;
}

export function toldError(error: unknown): Told {
  if (!(error instanceof Error)) return { name: 'Error', message: 'something was thrown that is no error' };
  const { name, message, stack } = error;
  const code = 'code' in error && ['string', 'number'].includes(typeof error.code) ? error.code : undefined;
  return { name, message, stack, code, ...(error instanceof RunLater && { ms: error.ms }) };
}

export function errorOf({ name, message, stack, code, ms }: Told): Error {
  if (ms !== undefined) return new RunLater(ms);
  const error = new Error(message);
  error.name = name;
  if (stack !== undefined) error.stack = stack;
  return code === undefined ? error : Object.assign(error, { code });
}
