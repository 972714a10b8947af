/** So many at a time; whoever comes later waits in line. */
export interface Semaphore {
  /** Rejects with the signal's reason when that is aborted before there is a place. */
  acquire(signal: AbortSignal): Promise<void>;
  release(): void;
  countAcquired(): number;
  /** Sends away everybody who waits. */
  rejectWaiters(reason: Error): void;
}

interface Waiter {
  resolve(): void;
  reject(reason: unknown): void;
}

export function createSemaphore(limit: number): Semaphore {
  const waiters = new Set<Waiter>();
  let acquired = 0;
  return {
    async acquire(signal) {
      if (acquired < limit) {
        acquired++;
        return;
      }
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const waiter = { resolve, reject };
      const onAbort = (): void => reject(signal.reason);
      signal.addEventListener('abort', onAbort);
      waiters.add(waiter);
      try {
        await promise;
      } finally {
        waiters.delete(waiter);
        signal.removeEventListener('abort', onAbort);
      }
    },
    release() {
      // Whoever is next takes the place over.
      const [next] = waiters;
      if (!next) acquired--;
      else {
        waiters.delete(next);
        next.resolve();
      }
    },
    countAcquired: () => acquired,
    rejectWaiters(reason) {
      for (const { reject } of waiters) reject(reason);
    },
  };
}
