export interface Counter {
  /** Counts an action under each of its keys while it runs; `others` is how many more there were under them. */
  during<T>(keys: readonly string[], action: (others: number) => Promise<T>): Promise<T>;
}

export function createCounter(): Counter {
  const counts = new Map<string, number>();
  const add = (key: string, change: 1 | -1): void => {
    const count = (counts.get(key) ?? 0) + change;
    if (count === 0) counts.delete(key);
    else counts.set(key, count);
  };
  return {
    async during(keys, action) {
      const others = keys.reduce((sum, key) => sum + (counts.get(key) ?? 0), 0);
      for (const key of keys) add(key, 1);
      try {
        return await action(others);
      } finally {
        for (const key of keys) add(key, -1);
      }
    },
  };
}
