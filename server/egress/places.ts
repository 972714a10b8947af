/** So many at a time; whoever comes later waits in line. */
export interface Places {
  /** Rejects with the signal's reason when that is aborted before there is a place. */
  take(signal: AbortSignal): Promise<void>;
  leave(): void;
  taken(): number;
  /** Sends away everybody who waits. */
  refuse(reason: Error): void;
}

interface Waiting {
  resolve(): void;
  reject(reason: unknown): void;
}

export function places(most: number): Places {
  const line = new Set<Waiting>();
  let taken = 0;
  return {
    async take(signal) {
      if (taken < most) {
        taken++;
        return;
      }
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const waiting = { resolve, reject };
      const end = (): void => reject(signal.reason);
      signal.addEventListener('abort', end);
      line.add(waiting);
      try {
        await promise;
      } finally {
        line.delete(waiting);
        signal.removeEventListener('abort', end);
      }
    },
    leave() {
      // Whoever is next takes the place over.
      const [next] = line;
      if (!next) taken--;
      else {
        line.delete(next);
        next.resolve();
      }
    },
    taken: () => taken,
    refuse(reason) {
      for (const { reject } of line) reject(reason);
    },
  };
}
