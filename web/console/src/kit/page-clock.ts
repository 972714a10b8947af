const TICK_MS = 20_000;

export interface PageClock {
  /** Calls `onTick` as the time goes on, until the returned function is called. */
  subscribe(onTick: () => void): () => void;
  /** Milliseconds since 1970; the same until the next tick. */
  get(): number;
}

/** Creates one clock for all times of the page. It stands still while nothing listens, and is set right before it goes on. */
export function createPageClock(read: () => number): PageClock {
  let now = read();
  const listeners = new Set<() => void>();
  let timer: ReturnType<typeof setInterval> | undefined;
  const tick = (): void => {
    now = read();
    listeners.forEach((notify) => notify());
  };
  return {
    subscribe(onTick) {
      if (listeners.size === 0) now = read();
      listeners.add(onTick);
      timer ??= setInterval(tick, TICK_MS);
      return () => {
        listeners.delete(onTick);
        if (listeners.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
    get: () => now,
  };
}
