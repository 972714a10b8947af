import { AsyncLocalStorage } from 'node:async_hooks';
import { threadId } from 'node:worker_threads';
import pg from 'pg';
import { copyRow } from './copy.ts';
import type { Db, Tx } from './db.ts';
import { statementName, type Sql } from './sql.ts';
import { columnTypes } from './types.ts';

export interface Connections {
  engine: Db['engine'];
  /** What every connection is opened with (an address, or a stream to the embedded engine). */
  connection: pg.ClientConfig;
  /** Connections that carry single statements, many on the wire at once. */
  pipelines: number;
  /** Connections for transactions, one at a time each. */
  transactions: number;
  forThread: Db['forThread'];
  release(): Promise<void>;
}

/**
 * The driver over either engine. Single statements go out on a few pipelined connections without waiting for
 * the answers before them (twice the reads of a pool); transactions take a connection of a pool.
 */
export function connect(connections: Connections): Db {
  const config: pg.ClientConfig = { ...connections.connection, types: columnTypes };
  // On the embedded engine a connection is kept: it holds nothing there, and what each new one prepares stays for ever.
  const idleTimeoutMillis = connections.engine === 'embedded' ? 0 : 10_000;
  const pool = new pg.Pool({
    ...config,
    options: KEPT_PLANS,
    max: connections.transactions,
    idleTimeoutMillis,
  });
  // An idle connection that the server closed is replaced at the next use; without a listener it would be fatal.
  pool.on('error', () => {});
  const pipelines = Array.from({ length: connections.pipelines }, () =>
    pipeline({ ...config, options: KEPT_PLANS }),
  );
  const inTransaction = new AsyncLocalStorage<boolean>();
  let turn = 0;

  return {
    engine: connections.engine,
    async query(statement) {
      // On the embedded engine's single session this would wait for itself, so it is an error on both.
      if (inTransaction.getStore()) throw new Error('a query beside the transaction it runs in');
      turn = (turn + 1) % pipelines.length;
      const client = await (pipelines[turn] ?? pipeline(config))();
      return run(client, statement);
    },
    async tx(work, { plans } = { plans: 'anew' }) {
      if (inTransaction.getStore()) throw new Error('a transaction inside a transaction');
      for (let attempt = 1; ; attempt++) {
        try {
          const { result, after } = await inTransaction.run(true, () =>
            transaction(pool, BEGIN[plans], work),
          );
          for (const action of after) action();
          return result;
        } catch (error) {
          if (attempt === 5 || !isRepeatable(error)) throw error;
        }
      }
    },
    async copyRow(statement) {
      if (inTransaction.getStore()) throw new Error('a query beside the transaction it runs in');
      return lent(pool, (client) => copyRow(client, statement));
    },
    forThread: connections.forThread,
    async close() {
      await Promise.all(pipelines.map((open) => open.end()));
      await pool.end();
      await connections.release();
    },
  };
}

/** serialization_failure and deadlock_detected. */
const isRepeatable = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && (error.code === '40001' || error.code === '40P01');

/** One pipelined client, opened at first use and again after it was lost. */
function pipeline(config: pg.ClientConfig) {
  let current: Promise<pg.Client> | undefined;
  const open = async (): Promise<pg.Client> => {
    const client = new pg.Client({ ...config, pipeline: true });
    const forget = (): void => void (current = undefined);
    client.on('error', forget);
    client.on('end', forget);
    try {
      await client.connect();
    } catch (error) {
      forget();
      throw error;
    }
    return client;
  };
  return Object.assign(() => (current ??= open()), {
    async end() {
      const client = await current?.catch(() => undefined);
      await client?.end();
    },
  });
}

/** Left to itself PostgreSQL plans the gated reads at every call, which takes three times their execution. */
const KEPT_PLANS = '-c plan_cache_mode=force_generic_plan';

/** Writers of records plan anew: a plan kept from when a table was small made a first import quadratic. */
const BEGIN = {
  anew: 'begin; set local plan_cache_mode = force_custom_plan',
  kept: 'begin',
};

const transaction = <T>(
  pool: pg.Pool,
  begin: string,
  work: (tx: Tx) => Promise<T>,
): Promise<{ result: T; after: (() => void)[] }> =>
  lent(pool, async (client, fail) => {
    const after: (() => void)[] = [];
    const tx: Tx = {
      query: (statement) => run(client, statement),
      script: async (text) => void (await client.query(text)),
      afterCommit: (action) => void after.push(action),
    };
    try {
      await client.query(begin);
      const result = await work(tx);
      // A statement that failed and was caught has doomed the transaction: "commit" then rolls back without an error.
      const { command } = await client.query('commit');
      if (command !== 'COMMIT')
        throw new Error('the transaction was rolled back: one of its statements had failed');
      return { result, after };
    } catch (error) {
      await client.query('rollback').catch(fail);
      throw error;
    }
  });

/** A connection of the pool for as long as `work` takes; one that was lost, or that `fail` was called of, is not given back. */
async function lent<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient, fail: (error: Error) => void) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  // While it is lent out the pool does not listen, and the loss of a connection between two statements would be fatal.
  let lost: Error | undefined;
  const notice = (error: Error): void => void (lost = error);
  client.on('error', notice);
  try {
    return await work(client, notice);
  } finally {
    client.off('error', notice);
    client.release(lost);
  }
}

const prefixes = new WeakMap<pg.ClientBase, string>();
let clients = 0;

/** What the names of a thread's prepared statements begin with. */
export const namesOfThread = (thread: number): string => `t${thread}c`;

/** Prepared names carry the thread and the client: on the embedded engine all clients share one session. */
function prefixOf(client: pg.ClientBase): string {
  let prefix = prefixes.get(client);
  if (!prefix) prefixes.set(client, (prefix = `${namesOfThread(threadId)}${++clients}_`));
  return prefix;
}

async function run<Row>(client: pg.ClientBase, statement: Sql<Row>): Promise<Row[]> {
  const result = await client.query<Row & pg.QueryResultRow>({
    name: prefixOf(client) + statementName(statement.text),
    text: statement.text,
    values: statement.values as unknown[],
  });
  return result.rows;
}
