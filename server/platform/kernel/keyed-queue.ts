/** Runs an action when all earlier ones of the same key have ended, however they ended. */
export type KeyedQueue = <T>(key: string, action: () => Promise<T>) => Promise<T>;

export function createKeyedQueue(): KeyedQueue {
  const last = new Map<string, Promise<unknown>>();
  return (key, action) => {
    const run = (last.get(key) ?? Promise.resolve()).then(action, action);
    last.set(key, run);
    const release = (): void => {
      if (last.get(key) === run) last.delete(key);
    };
    run.then(release, release);
    return run;
  };
}
