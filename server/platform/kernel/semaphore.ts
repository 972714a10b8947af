/** Permits so many actions at a time; later ones wait in line. */
export interface Semaphore {
  /** Rejects with the signal's reason when the signal is aborted while the action waits; a running action goes on. */
  run<T>(action: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

export function createSemaphore(limit: number): Semaphore {
  const waiters = new Set<() => void>();
  let acquired = 0;

  async function waitForPermit(signal: AbortSignal | undefined): Promise<void> {
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
  }

  function release(): void {
    const [next] = waiters;
    if (!next) acquired--;
    else {
      // The permit passes to the action that has waited longest.
      waiters.delete(next);
      next();
    }
  }

  return {
    async run(action, signal) {
      signal?.throwIfAborted();
      if (acquired < limit) acquired++;
      else await waitForPermit(signal);
      try {
        return await action();
      } finally {
        release();
      }
    },
  };
}
