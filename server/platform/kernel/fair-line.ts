/** Runs so many actions at a time; those that wait are taken in turn by their key, each key's in the order they came. */
export interface FairLine {
  run<T>(key: string, action: () => Promise<T>): Promise<T>;
}

export function createFairLine(concurrency: number): FairLine {
  /** The keys that wait, the next one first. */
  const waiting = new Map<string, (() => void)[]>();
  let running = 0;

  function enqueue(key: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const line = waiting.get(key);
    if (line) line.push(resolve);
    else waiting.set(key, [resolve]);
    return promise;
  }

  /** Starts the first action of the next key, which then waits behind all others. */
  function startNext(): boolean {
    const [next] = waiting;
    if (!next) return false;
    const [key, line] = next;
    waiting.delete(key);
    line.shift()?.();
    if (line.length > 0) waiting.set(key, line);
    return true;
  }

  return {
    async run(key, action) {
      if (running < concurrency) running++;
      else await enqueue(key);
      try {
        return await action();
      } finally {
        if (!startNext()) running--;
      }
    },
  };
}
