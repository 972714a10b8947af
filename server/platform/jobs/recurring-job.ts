import { Reschedule, type JobKind } from './job-kind.ts';

/**
 * Work that is never done: one job for all nodes, that gives itself back until the next time, in `everyMs` or in as many
 * milliseconds as the work says.
 */
export function createRecurringJob(
  kind: string,
  intervalMs: number,
  work: (signal: AbortSignal) => Promise<number | void>,
): JobKind<object> {
  return {
    kind,
    // A failure waits for the next time; it is never given up.
    maxAttempts: Number.MAX_SAFE_INTEGER,
    delaySeconds: () => intervalMs / 1000,
    async run(_payload, signal) {
      throw new Reschedule((await work(signal)) ?? intervalMs);
    },
  };
}
