import type { Clock } from '../../server/platform/kernel/clock.ts';

export interface TestClock extends Clock {
  /** Moves the time forward, milliseconds. */
  advance(ms: number): void;
  /** From now on the time moves only when it is advanced: how long the test takes changes nothing. */
  stop(): void;
}

/** Creates a clock that runs with the real one until it is moved or stopped. */
export function createTestClock(): TestClock {
  let offsetMs = 0;
  let stoppedAt: number | null = null;
  return {
    now: () => new Date((stoppedAt ?? Date.now()) + offsetMs),
    advance: (ms) => void (offsetMs += ms),
    stop: () => void (stoppedAt ??= Date.now()),
  };
}
