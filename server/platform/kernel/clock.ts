/** The time of day, so that a test can move it. Only this file reads the machine's clock. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** Milliseconds that never go backwards, to measure durations: the difference of two readings means something, one does not. */
export const readMonotonicMs = (): number => performance.now();
