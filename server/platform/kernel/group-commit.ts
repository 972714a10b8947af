import { setTimeout as sleep } from 'node:timers/promises';

interface Options {
  /** How long a group waits for further items before it is committed. */
  delayMs?: number;
  maxItems?: number;
}

/**
 * Returns a function that hands an item to `commit` together with those of other callers: one commit runs at a time, and
 * takes along all that came while the one before was under way. The promise settles as the commit of the item's group.
 */
export function createGroupCommit<Item>(
  commit: (items: Item[]) => Promise<unknown>,
  { delayMs = 0, maxItems = Number.POSITIVE_INFINITY }: Options = {},
): (item: Item) => Promise<void> {
  let open: { items: Item[]; committed: Promise<void> } | null = null;
  let last: Promise<void> = Promise.resolve();

  function openGroup(): typeof open & object {
    const items: Item[] = [];
    const flush = async (): Promise<void> => {
      if (delayMs > 0) await sleep(delayMs);
      if (open?.items === items) open = null;
      await commit(items);
    };
    last = last.then(flush, flush);
    return { items, committed: last };
  }

  return (item) => {
    if (!open || open.items.length >= maxItems) open = openGroup();
    open.items.push(item);
    return open.committed;
  };
}
