import type { Sql } from '../db/sql.ts';
import { createGroupCommit } from '../kernel/group-commit.ts';
import { createOpenItems } from '../kernel/open-items.ts';

/** Work that waits in a table, and how an item of it is processed. */
export interface Queue<Item> {
  /** Builds the SQL of whether anything is due: a part of the one statement that asks for all queues. */
  buildDueCondition(now: Date): Sql;
  /** Claims due items under a lease; all of them if they are not more than `limit`, unless `mayLeaveDue`. */
  claim(limit: number): Promise<Item[]>;
  /** A claim may leave due items until a running one has ended. */
  mayLeaveDue?: true;
  /** Other processes add items in quick succession, of which nobody wakes this one: it looks again soon after it had work. */
  looksAgain?: boolean;
  /** Never rejects; `stop` is aborted when the process stops or the lease is lost. */
  attempt(item: Item, stop: AbortController): Promise<void>;
  /** Releases items that were claimed while the process began to stop. */
  release(items: readonly Item[]): Promise<void>;
  /** Makes due what another process may be working on: on the embedded store there is none. */
  releaseAll(): Promise<void>;
  /** Runs when every item has ended and none is claimed any more. */
  onStopped?(): Promise<void>;
}

/** Works on one queue, so that quick work does not wait behind slow work. */
export interface WorkerPool {
  buildDueCondition(now: Date): Sql;
  begin(embedded: boolean): Promise<void>;
  /** Claims as many due items as the concurrency permits and starts them, after the claims before. */
  claim(): Promise<void>;
  /** Claims without being awaited; does nothing before `begin` and after `stop`. */
  wake(): void;
  isBusy(): boolean;
  /** Counts the items started so far. */
  startedCount(): number;
  /** Resolves when everything that runs now has ended. */
  onIdle(): Promise<unknown>;
  /** Claims nothing more, asks running items to end, and releases those that did not finish. */
  stop(): Promise<void>;
}

interface WorkerPoolOptions {
  /** Items at a time. */
  concurrency: number;
  onError(error: unknown): void;
  /** Asked before each claim; where it says no, everything due waits. Absent: nothing hinders. */
  mayClaim?: (() => Promise<boolean>) | undefined;
}

/** How long after the end of an item due ones are claimed: items that end together make one claim. */
const CLAIM_DELAY_MS = 5;

/** When a pool that has run out of work looks again; each time after twice as long, until the poll of the node is sooner. */
const FIRST_LOOK_MS = 10;
const LAST_LOOK_MS = 640;

export function createWorkerPool<Item>(queue: Queue<Item>, options: WorkerPoolOptions): WorkerPool {
  const { concurrency, onError, mayClaim = () => Promise.resolve(true) } = options;
  const running = createOpenItems<RunningItem>();
  let state: 'resting' | 'working' | 'stopping' = 'resting';
  let startedCount = 0;
  const start = (item: Item): void => {
    const stop = new AbortController();
    const done = queue.attempt(item, stop).finally(() => {
      // Below the limit no claim left anything due, and new items wake the pool themselves.
      const shouldWake = queue.mayLeaveDue ?? running.size >= concurrency;
      remove();
      if (shouldWake) void wakeSoon();
    });
    const remove = running.add({ done, stop });
    startedCount++;
  };

  async function claimNext(): Promise<void> {
    if (state === 'stopping' || running.size >= concurrency || !(await mayClaim())) return;
    const items = await queue.claim(concurrency - running.size);
    if ((state as string) === 'stopping') return queue.release(items);
    items.forEach(start);
    if (queue.looksAgain === true) looks.plan({ hasFound: items.length > 0, isBusy: running.size > 0 });
  }

  /** Those who ask before a claim begins share it: it sees all commits until then. At a stop it only waits for the last. */
  const claim = createGroupCommit<void>(claimNext);
  const wake = (): void => {
    if (state === 'working' && running.size < concurrency) claim().catch(onError);
  };
  const looks = createLooks(wake);
  const wakeSoon = createGroupCommit<void>(async () => wake(), { delayMs: CLAIM_DELAY_MS });

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
      looks.cancel();
      for (const { stop } of running) stop.abort(new Error('the process is stopping'));
      await claim().catch(() => {});
      await waitForAll(running).then(() => queue.onStopped?.());
    },
  };
}

/** Has a pool look again after it had work, unless something is running: that makes a claim when it ends. */
function createLooks(wake: () => void) {
  let timer: NodeJS.Timeout | undefined;
  let waitMs = 2 * LAST_LOOK_MS;
  return {
    plan({ hasFound, isBusy }: { hasFound: boolean; isBusy: boolean }): void {
      clearTimeout(timer);
      if (hasFound) waitMs = FIRST_LOOK_MS;
      if (isBusy || waitMs > LAST_LOOK_MS) return;
      timer = setTimeout(wake, waitMs).unref();
      waitMs *= 2;
    },
    cancel: (): void => clearTimeout(timer),
  };
}

interface RunningItem {
  done: Promise<void>;
  stop: AbortController;
}

const waitForAll = (running: Iterable<RunningItem>): Promise<unknown> =>
  Promise.all([...running].map(({ done }) => done));
