/** What is under way now, in no order. */
export interface OpenItems<T> extends Iterable<T> {
  readonly size: number;
  /** Adds an item; the function that it returns takes it out, once. */
  add(item: T): () => void;
}

/**
 * A collection for what comes and goes at each request or statement, which a `Map` or a `Set` is not: V8 makes a new table of
 * one whenever as much was taken out as is in it, and the table before points to the new one and to all that it held. One such
 * table in the old generation keeps all later ones, and so every request with all that hangs on it, until the whole heap is
 * collected: a fifth of what was allocated was copied twice, a sixth of a call's CPU time.
 */
export function createOpenItems<T>(): OpenItems<T> {
  const slots: (T | undefined)[] = [];
  const free: number[] = [];
  return {
    get size() {
      return slots.length - free.length;
    },
    add(item) {
      let slot: number | undefined = free.pop() ?? slots.length;
      slots[slot] = item;
      return () => {
        if (slot === undefined) return;
        slots[slot] = undefined;
        free.push(slot);
        slot = undefined;
      };
    },
    *[Symbol.iterator]() {
      // What is added meanwhile may take a slot that has been passed, as what is taken out is not given any more.
      for (const item of slots) if (item !== undefined) yield item;
    },
  };
}
