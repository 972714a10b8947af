import type { Sql } from '../storage/sql.ts';

/** Work that waits in a table, and how an item of it is done. */
export interface Queue<Item> {
  idOf(item: Item): string;
  /** SQL of whether anything is due: a part of the one statement that asks for all queues. */
  due(now: Date): Sql;
  /** Takes what is due under a lease; all of it if that is not more than `most`, unless `choosy`. */
  claim(most: number): Promise<Item[]>;
  /** A claim may leave what is due until something that runs has ended. */
  choosy?: true;
  /** Never rejects; `stop` is aborted when the process stops or the lease is lost. */
  attempt(item: Item, stop: AbortController): Promise<void>;
  /** For those that were taken while the process began to stop. */
  giveBack(items: readonly Item[]): Promise<void>;
  /** On the embedded store no other process can be working: what was leased when we died is due now. */
  releaseAll(): Promise<void>;
  /** Every item has ended, and none is taken any more. */
  stopped?(): Promise<void>;
}

/** Hands that work on one queue, so that what is quick does not wait behind what is slow. */
export interface Crew {
  due(now: Date): Sql;
  begin(embedded: boolean): Promise<void>;
  /** Takes as many due items as there are hands free and starts them, in line with the claims before. */
  claim(): Promise<void>;
  /** A claim of which nobody waits for the end; nothing before `begin` and after `stop`. */
  wake(): void;
  busy(): boolean;
  /** Items started so far. */
  launched(): number;
  /** When everything that runs now has ended. */
  settled(): Promise<unknown>;
  /** Claims nothing more, asks what runs to end, and gives back what did not. */
  stop(): Promise<void>;
}

interface CrewOptions {
  /** Items at a time. */
  hands: number;
  onError(error: unknown): void;
}

/** After an item has ended, until what is due is looked for. */
const GATHER_MS = 5;

export function crewOf<Item>(queue: Queue<Item>, { hands, onError }: CrewOptions): Crew {
  const running = new Map<string, Running>();
  let state: 'resting' | 'working' | 'stopping' = 'resting';
  const stopping = (): boolean => state === 'stopping';
  let launched = 0;
  let claiming: Promise<void> = Promise.resolve();
  /** A claim that waits for the one before: it sees all that is committed until it begins. */
  let next: Promise<void> | null = null;

  const launch = (item: Item): void => {
    const id = queue.idOf(item);
    const stop = new AbortController();
    const done = queue.attempt(item, stop).finally(() => {
      // With a hand free nothing was left behind, and what comes wakes by itself.
      const more = queue.choosy ?? running.size >= hands;
      running.delete(id);
      if (more) wakeSoon();
    });
    running.set(id, { done, stop });
    launched++;
  };

  async function take(): Promise<void> {
    next = null;
    if (stopping() || running.size >= hands) return;
    const items = await queue.claim(hands - running.size);
    if (stopping()) return queue.giveBack(items);
    items.forEach(launch);
  }

  const claim = (): Promise<void> => (next ??= claiming = claiming.then(take, take));
  const wake = (): void => {
    if (state === 'working' && running.size < hands) claim().catch(onError);
  };
  const wakeSoon = gathered(wake, GATHER_MS);

  return {
    due: (now) => queue.due(now),
    async begin(embedded) {
      if (embedded) await queue.releaseAll();
      state = 'working';
      wake();
    },
    claim,
    wake,
    busy: () => running.size > 0,
    launched: () => launched,
    settled: () => allDone(running),
    async stop() {
      state = 'stopping';
      for (const { stop } of running.values()) stop.abort(new Error('the process is stopping'));
      await claiming.catch(() => {}).then(() => allDone(running));
      await queue.stopped?.();
    },
  };
}

interface Running {
  done: Promise<void>;
  stop: AbortController;
}

const allDone = (running: ReadonlyMap<string, Running>): Promise<unknown> =>
  Promise.all([...running.values()].map(({ done }) => done));

/** Those who ask while it is put off are served by one: items that end together make one claim. */
function gathered(action: () => void, ms: number): () => void {
  let timer: NodeJS.Timeout | undefined;
  const act = (): void => {
    timer = undefined;
    action();
  };
  return () => void (timer ??= setTimeout(act, ms));
}
