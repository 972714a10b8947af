import type { Clock } from '../../server/platform/kernel/clock.ts';

export interface TestClock extends Clock {
  /** Moves the time forward, milliseconds. */
  advance(ms: number): void;
}

/** A clock that runs with the real one until it is moved. */
export function createTestClock(): TestClock {
  let offsetMs = 0;
  return {
    now: () => new Date(Date.now() + offsetMs),
    advance: (ms) => void (offsetMs += ms),
  };
}
