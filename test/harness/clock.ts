import type { Clock } from '../../server/kernel/clock.ts';

export interface TestClock extends Clock {
  /** Moves the time forward, milliseconds. */
  pass(ms: number): void;
}

/** A clock that runs with the real one until it is moved. */
export function testClock(): TestClock {
  let ahead = 0;
  return {
    now: () => new Date(Date.now() + ahead),
    pass: (ms) => void (ahead += ms),
  };
}
