import { measureClockDifference, MAX_CLOCK_DIFFERENCE_MS } from '../db/store-clock.ts';
import type { Db } from '../db/db.ts';
import { readMonotonicMs, type Clock } from '../kernel/clock.ts';
import { LoggableError } from '../kernel/log-message.ts';

/** How long a measurement counts, while the node's clock goes on as time does. */
const HOLDS_MS = 10_000;

/** By how much the node's clock may leave the time that has passed until it is measured again: it was set, or the machine slept. */
const MAX_STEP_MS = 1_000;

export class ClocksDifferError extends LoggableError {
  override name = 'ClocksDifferError';
}

interface Deps {
  db: Db;
  clock: Clock;
  /** Called when the clocks turn out to differ, once until they agree again. */
  onError(error: ClocksDifferError): void;
  readMs?: () => number;
}

/**
 * Creates what says whether background work may begin: not while the clocks of the node and of the store are apart, as
 * `/readyz` says. By a clock that is ahead, all that was kept for a time has ended, months of the audit log among it, and what
 * recurs waits for a time that is far away; by one that is behind, nobody's lease holds. Rejects as the store does.
 */
export function createClockGuard({
  db,
  clock,
  onError,
  readMs = readMonotonicMs,
}: Deps): () => Promise<boolean> {
  let last: { at: number; offset: number; agree: boolean } | null = null;
  const measure = async (): Promise<boolean> => {
    const difference = await measureClockDifference({ db, clock });
    const agree = Math.abs(difference) <= MAX_CLOCK_DIFFERENCE_MS;
    if (!agree && last?.agree !== false)
      onError(new ClocksDifferError(`no work begins while the store is ${difference} ms ahead`));
    const at = readMs();
    last = { at, offset: clock.now().getTime() - at, agree };
    return agree;
  };
  let measuring: Promise<boolean> | null = null;
  return async () => {
    const at = readMs();
    const isCurrent =
      last !== null &&
      at - last.at < HOLDS_MS &&
      Math.abs(clock.now().getTime() - at - last.offset) < MAX_STEP_MS;
    if (isCurrent && last !== null) return last.agree;
    return (measuring ??= measure().finally(() => (measuring = null)));
  };
}
