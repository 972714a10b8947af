import type { Clock } from '../../server/platform/kernel/clock.ts';

export interface TestClock extends Clock {
  /** Moves the time forward, milliseconds. */
  advance(ms: number): void;
  /** From now on the time moves only when it is advanced: how long the test takes changes nothing. */
  stop(): void;
}

/**
 * Creates a clock that stands still until it is moved. One that `runs` goes with the real one until it is stopped: for a
 * whole service, whose jobs wait for their time, and whose store has a clock of its own, the later of which counts.
 */
export function createTestClock({ runs = false } = {}): TestClock {
  let offsetMs = 0;
  let stoppedAt: number | null = runs ? null : Date.now();
  return {
    now: () => new Date((stoppedAt ?? Date.now()) + offsetMs),
    advance: (ms) => void (offsetMs += ms),
    stop: () => void (stoppedAt ??= Date.now()),
  };
}
