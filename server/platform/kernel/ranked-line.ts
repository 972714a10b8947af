/** Runs so many actions at a time; of those that wait, the lowest rank first. */
export interface RankedLine {
  /** Rejects when the line is full of actions of the same or a lower rank. */
  run<T>(rank: number, action: () => Promise<T>): Promise<T>;
}

interface RankedLineOptions {
  concurrency: number;
  maxWaiting: number;
  /** Builds the error of an action that finds no place in the line, or loses it to one of a lower rank. */
  createError(): Error;
}

interface Waiter {
  rank: number;
  start(): void;
  refuse(error: Error): void;
}

export function createRankedLine({ concurrency, maxWaiting, createError }: RankedLineOptions): RankedLine {
  /** In the order in which they will run. */
  const waiters: Waiter[] = [];
  let running = 0;

  function enqueue(rank: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const after = waiters.findIndex((waiter) => waiter.rank > rank);
    waiters.splice(after < 0 ? waiters.length : after, 0, { rank, start: resolve, refuse: reject });
    if (waiters.length > maxWaiting) waiters.pop()?.refuse(createError());
    return promise;
  }

  return {
    async run(rank, action) {
      if (running < concurrency) running++;
      else await enqueue(rank);
      try {
        return await action();
      } finally {
        // The place passes to the first of the line.
        const next = waiters.shift();
        if (next) next.start();
        else running--;
      }
    },
  };
}
