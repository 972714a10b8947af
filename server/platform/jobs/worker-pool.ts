import type { Sql } from '../db/sql.ts';

/** Work that waits in a table, and how an item of it is done. */
export interface Queue<Item> {
  getId(item: Item): string;
  /** SQL of whether anything is due: a part of the one statement that asks for all queues. */
  buildDueCondition(now: Date): Sql;
  /** Takes what is due under a lease; all of it if that is not more than `most`, unless `choosy`. */
  claim(limit: number): Promise<Item[]>;
  /** A claim may leave what is due until something that runs has ended. */
  mayLeaveDue?: true;
  /** Never rejects; `stop` is aborted when the process stops or the lease is lost. */
  attempt(item: Item, stop: AbortController): Promise<void>;
  /** For those that were taken while the process began to stop. */
  release(items: readonly Item[]): Promise<void>;
  /** On the embedded store no other process can be working: what was leased when we died is due now. */
  releaseAll(): Promise<void>;
  /** Every item has ended, and none is taken any more. */
  onStopped?(): Promise<void>;
}

/** Hands that work on one queue, so that what is quick does not wait behind what is slow. */
export interface WorkerPool {
  buildDueCondition(now: Date): Sql;
  begin(embedded: boolean): Promise<void>;
  /** Takes as many due items as there are hands free and starts them, in line with the claims before. */
  claim(): Promise<void>;
  /** A claim of which nobody waits for the end; nothing before `begin` and after `stop`. */
  wake(): void;
  isBusy(): boolean;
  /** Items started so far. */
  startedCount(): number;
  /** When everything that runs now has ended. */
  onIdle(): Promise<unknown>;
  /** Claims nothing more, asks what runs to end, and gives back what did not. */
  stop(): Promise<void>;
}

interface WorkerPoolOptions {
  /** Items at a time. */
  concurrency: number;
  onError(error: unknown): void;
}

/** After an item has ended, until what is due is looked for. */
const COALESCE_MS = 5;

export function createWorkerPool<Item>(
  queue: Queue<Item>,
  { concurrency, onError }: WorkerPoolOptions,
): WorkerPool {
  const running = new Map<string, RunningItem>();
  let state: 'resting' | 'working' | 'stopping' = 'resting';
  const isStopping = (): boolean => state === 'stopping';
  let startedCount = 0;
  let claiming: Promise<void> = Promise.resolve();
  /** A claim that waits for the one before: it sees all that is committed until it begins. */
  let next: Promise<void> | null = null;

  const start = (item: Item): void => {
    const id = queue.getId(item);
    const stop = new AbortController();
    const done = queue.attempt(item, stop).finally(() => {
      // With a hand free nothing was left behind, and what comes wakes by itself.
      const shouldWake = queue.mayLeaveDue ?? running.size >= concurrency;
      running.delete(id);
      if (shouldWake) wakeSoon();
    });
    running.set(id, { done, stop });
    startedCount++;
  };

  async function claimNext(): Promise<void> {
    next = null;
    if (isStopping() || running.size >= concurrency) return;
    const items = await queue.claim(concurrency - running.size);
    if (isStopping()) return queue.release(items);
    items.forEach(start);
  }

  const claim = (): Promise<void> => (next ??= claiming = claiming.then(claimNext, claimNext));
  const wake = (): void => {
    if (state === 'working' && running.size < concurrency) claim().catch(onError);
  };
  const wakeSoon = coalesce(wake, COALESCE_MS);

  return {
    buildDueCondition: (now) => queue.buildDueCondition(now),
    async begin(embedded) {
      if (embedded) await queue.releaseAll();
      state = 'working';
      wake();
    },
    claim,
    wake,
    isBusy: () => running.size > 0,
    startedCount: () => startedCount,
    onIdle: () => waitForAll(running),
    async stop() {
      state = 'stopping';
      for (const { stop } of running.values()) stop.abort(new Error('the process is stopping'));
      await claiming.catch(() => {}).then(() => waitForAll(running));
      await queue.onStopped?.();
    },
  };
}

interface RunningItem {
  done: Promise<void>;
  stop: AbortController;
}

const waitForAll = (running: ReadonlyMap<string, RunningItem>): Promise<unknown> =>
  Promise.all([...running.values()].map(({ done }) => done));

/** Those who ask while it is put off are served by one: items that end together make one claim. */
function coalesce(action: () => void, ms: number): () => void {
  let timer: NodeJS.Timeout | undefined;
  const act = (): void => {
    timer = undefined;
    action();
  };
  return () => void (timer ??= setTimeout(act, ms));
}
