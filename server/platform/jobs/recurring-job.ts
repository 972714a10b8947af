import { Reschedule, type JobKind } from './job-kind.ts';

/**
 * Creates work that recurs: one job for all nodes, which reschedules itself after `intervalMs` or after as many
 * milliseconds as the work returns.
 */
export function createRecurringJob(
  kind: string,
  intervalMs: number,
  work: (signal: AbortSignal) => Promise<number | void>,
): JobKind<object> {
  return {
    kind,
    isRecurring: true,
    // A failure waits for the next run; the job never becomes a dead letter.
    maxAttempts: Number.MAX_SAFE_INTEGER,
    delaySeconds: () => intervalMs / 1000,
    async run(_payload, signal) {
      throw new Reschedule((await work(signal)) ?? intervalMs);
    },
  };
}
