import { RunLater, type JobKind } from './kinds.ts';

/** Work that is never done: one job for all nodes, that gives itself back until the next time. */
export function recurring(
  kind: string,
  everyMs: number,
  work: (signal: AbortSignal) => Promise<unknown>,
): JobKind<object> {
  return {
    kind,
    // A failure waits for the next time; it is never given up.
    maxAttempts: Number.MAX_SAFE_INTEGER,
    delaySeconds: () => everyMs / 1000,
    async run(_payload, signal) {
      await work(signal);
      throw new RunLater(everyMs);
    },
  };
}
