import type { MessagePort } from 'node:worker_threads';
import type { CopiedRow } from './copy.ts';
import { sql, type Sql } from './sql.ts';

export interface Queryable {
  /** Rows of one statement; in its own transaction unless asked of a `Tx`. */
  query<Row>(statement: Sql<Row>): Promise<Row[]>;
}

export interface Tx extends Queryable {
  /** Runs `action` once the transaction is durable; never when it is rolled back. */
  afterCommit(action: () => void): void;
  /** Several commands without parameters: migrations. */
  script(text: string): Promise<void>;
}

export interface Db extends Queryable {
  readonly engine: 'embedded' | 'postgresql';
  /**
   * One transaction, read committed. `work` is run again after a serialization failure or a deadlock, so it
   * must be repeatable; it may use nothing of the database but the `Tx` it is given. `plans`: made anew for each
   * statement, for work on tables that grow under it, or kept, for short work that is done all the time.
   */
  tx<T>(work: (tx: Tx) => Promise<T>, options?: { plans: 'anew' | 'kept' }): Promise<T>;
  /** The one row of a select whose last field is a text of megabytes, as bytes; null for none. */
  copyRow(statement: Sql): Promise<CopiedRow | null>;
  /** For another thread of this process to open the same store, by `openInThread`; each value serves one thread. */
  createThreadHandle(): ThreadHandle;
  close(): Promise<void>;
}

/** Goes into a worker's `workerData`, with its ports in the `transferList`. */
export interface ThreadHandle {
  access: { databaseUrl: string } | { line: MessagePort };
  transfer: readonly MessagePort[];
}

/** The one row that a statement promises. */
export async function one<Row>(on: Queryable, statement: Sql<Row>): Promise<Row> {
  const [row] = await on.query(statement);
  if (row === undefined) throw new Error(`no row from: ${statement.text}`);
  return row;
}

export async function maybeOne<Row>(on: Queryable, statement: Sql<Row>): Promise<Row | null> {
  const [row] = await on.query(statement);
  return row ?? null;
}

/** Resolves when the store answers. */
export const ping = async (on: Queryable): Promise<void> => void (await on.query(sql`select 1`));
