import type { MessagePort } from 'node:worker_threads';
import type { RowBytes } from './row-bytes.ts';
import type { Sql } from './sql.ts';
import type { CapacityLevel, StoreCapacity } from './store-capacity.ts';

export interface Queryable {
  /**
   * Runs one statement and returns its rows; in a transaction of its own unless called on a `Tx`, so that it is run again after a
   * deadlock.
   */
  query<Row>(statement: Sql<Row>): Promise<Row[]>;
}

/**
 * Statements that are sent at once (`Promise.all`) are executed in the order in which they were sent, each seeing what the ones
 * before it did and waited for; only what needs no answer of another is sent so. When one fails, all of them are undone.
 */
export interface Tx extends Queryable {
  /** Runs `action` once the transaction is durable; never when it is rolled back. */
  afterCommit(action: () => void): void;
  /** Runs several commands without parameters: migrations. */
  script(text: string): Promise<void>;
}

export interface Db extends Queryable {
  readonly engine: 'embedded' | 'postgresql';
  /** What the disk of the store still takes, as of the last look. */
  readonly capacity: StoreCapacity;
  /** Looks at the disk of the store, as far as it can be seen, and returns what it takes. */
  measureCapacity(): Promise<CapacityLevel>;
  /**
   * Runs one transaction, read committed. `work` is run again after a serialization failure or a deadlock, so it must be
   * repeatable; it may use nothing of the database but its `Tx`. `plans` are made anew for each statement, for work on
   * tables that grow meanwhile, or kept, for short and frequent work.
   */
  tx<T>(work: (tx: Tx) => Promise<T>, options?: { plans: 'anew' | 'kept' }): Promise<T>;
  /** Reads the one row of a select whose last field is a text of megabytes, as bytes; null for none. */
  queryRowBytes(statement: Sql): Promise<RowBytes | null>;
  /** Runs work as somebody's: where the engine is shared, each has a turn. */
  runAs<T>(owner: string, work: () => T): T;
  /**
   * Copies the embedded store as of now into a folder that does not exist yet, between two transactions: everybody else waits
   * for as long as the file system copies. Null where the engine is a server, or another thread's.
   */
  readonly snapshot: ((folder: string) => Promise<void>) | null;
  /** Creates the handle by which one other thread of this process opens the same store, with `openInThread`. */
  createThreadHandle(): ThreadHandle;
  close(): Promise<void>;
}

/** Belongs into a worker's `workerData`, with its ports in the `transferList`. */
export interface ThreadHandle {
  access: ({ databaseUrl: string } | { line: MessagePort }) & { capacity: SharedArrayBuffer };
  transfer: readonly MessagePort[];
}

/** Returns the one row of a statement; throws when there is none. */
export async function one<Row>(on: Queryable, statement: Sql<Row>): Promise<Row> {
  const [row] = await on.query(statement);
  if (row === undefined) throw new Error(`no row from: ${statement.text}`);
  return row;
}

export async function maybeOne<Row>(on: Queryable, statement: Sql<Row>): Promise<Row | null> {
  const [row] = await on.query(statement);
  return row ?? null;
}
