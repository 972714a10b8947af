export interface Coalescer<T> {
  /** Joins the call that is under way for the key, or makes one. */
  run(key: string): Promise<T>;
  isRunning(key: string): boolean;
}

/** Makes one call for all who ask for the same key while it is under way; nothing is kept of a call that has ended. */
export function createCoalescer<T>(load: (key: string) => Promise<T>): Coalescer<T> {
  const running = new Map<string, Promise<T>>();
  return {
    run(key) {
      const known = running.get(key);
      if (known) return known;
      const call = load(key).finally(() => running.delete(key));
      running.set(key, call);
      return call;
    },
    isRunning: (key) => running.has(key),
  };
}
