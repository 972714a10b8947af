/** Permits so many at a time; later callers wait in line. */
export interface Semaphore {
  /** Rejects with the signal's reason when the signal is aborted while the caller waits. */
  acquire(signal?: AbortSignal): Promise<void>;
  release(): void;
}

export function createSemaphore(limit: number): Semaphore {
  const waiters = new Set<() => void>();
  let acquired = 0;
  return {
    async acquire(signal) {
      signal?.throwIfAborted();
      if (acquired < limit) {
        acquired++;
        return;
      }
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const onAbort = (): void => reject(signal?.reason);
      signal?.addEventListener('abort', onAbort);
      waiters.add(resolve);
      try {
        await promise;
      } finally {
        waiters.delete(resolve);
        signal?.removeEventListener('abort', onAbort);
      }
    },
    release() {
      const [next] = waiters;
      if (!next) acquired--;
      else {
        // The permit passes to the caller that has waited longest.
        waiters.delete(next);
        next();
      }
    },
  };
}
