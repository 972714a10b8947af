import type { Clock } from '../kernel/clock.ts';

/** Keys that several nodes share in the store, as one of them remembers them. */
export interface KeyCache<T> {
  /** Returns what was read within this time, or reads. */
  get(maxAgeMs: number): Promise<T>;
  /**
   * Returns what is read for an id that the last reading did not have, however new that is: another node may have made the key
   * since, and signs with it. Made up ids cost one statement a second, counted from the last such reading alone; those who
   * come meanwhile wait for it.
   */
  getAfterMiss(): Promise<T>;
}

const MISS_EVERY_MS = 1000;

export function createKeyCache<T>({ clock, read }: { clock: Clock; read: () => Promise<T> }): KeyCache<T> {
  let loaded: { at: number; keys: Promise<T> } | undefined;
  let missedAt = -Infinity;

  function load(): Promise<T> {
    const reading = { at: clock.now().getTime(), keys: read() };
    loaded = reading;
    reading.keys.catch(() => {
      if (loaded === reading) loaded = undefined;
    });
    return reading.keys;
  }

  const isWithin = (at: number, ms: number): boolean => Math.abs(clock.now().getTime() - at) < ms;

  return {
    get: (maxAgeMs) => (loaded && isWithin(loaded.at, maxAgeMs) ? loaded.keys : load()),
    getAfterMiss() {
      if (loaded && isWithin(missedAt, MISS_EVERY_MS)) return loaded.keys;
      missedAt = clock.now().getTime();
      return load();
    },
  };
}
