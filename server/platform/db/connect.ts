import { AsyncLocalStorage } from 'node:async_hooks';
import { threadId } from 'node:worker_threads';
import pg from 'pg';
import { holdWrites } from './hold-writes.ts';
import { createPipelines, type Pipelines } from './pipelines.ts';
import { createSessionRenewal } from './session-renewal.ts';
import { createTransactionPool, type TransactionPool } from './transaction-pool.ts';
import type { ResponseWatch } from './response-watch.ts';
import { readRowBytes, type RowBytes } from './row-bytes.ts';
import type { Db, Tx } from './db.ts';
import { getStatementName, type Sql } from './sql.ts';
import type { StoreCapacity } from './store-capacity.ts';
import { commitOrThrow, isReadOnly } from './store-error.ts';
import { columnTypes } from './types.ts';

export interface ConnectOptions {
  engine: Db['engine'];
  capacity: StoreCapacity;
  /** Opens every connection: an address, or a stream to the embedded engine. */
  connection: pg.ClientConfig;
  /** The class of its clients. */
  Client?: typeof pg.Client;
  /** Runs when the server turns out to take no writes. */
  onReadOnly?: () => void;
  /** Connections for single statements, many on the wire at once. */
  pipelines: number;
  /** Whether those of them that are look-ups have a connection of their own. */
  separatesLookUps?: boolean;
  /** Connections for transactions, one at a time each. */
  transactions: number;
  /** Ends the wait for a server that does not answer. */
  watch: ResponseWatch;
  createThreadHandle: Db['createThreadHandle'];
  snapshot?: Db['snapshot'];
  /** Looks at the disk; absent where it cannot be seen from here. */
  measureDisk?: () => Promise<void>;
  release(): Promise<void>;
}

/**
 * Creates the driver for either engine. Single statements are sent on a few pipelined connections without waiting for
 * the answers to earlier ones (twice the reads of a pool), look-ups on one of their own; transactions take a
 * connection of a pool.
 */
export function connect(options: ConnectOptions): Db {
  const { watch } = options;
  const { pool, pipelines, lookUps, renew } = createSessions(options);
  const inTransaction = new AsyncLocalStorage<boolean>();
  let isClosed = false;

  function requireUsable(what: string): void {
    // On the embedded engine's single session the query would wait for itself, so it is an error on both engines.
    if (inTransaction.getStore()) throw new Error(what);
    // Else it would open a connection that nobody closes: `pg.Pool` refuses by itself.
    if (isClosed) throw new Error('the store is closed');
    watch.requireAnswering();
  }

  return {
    engine: options.engine,
    capacity: options.capacity,
    async measureCapacity() {
      await options.measureDisk?.();
      return options.capacity.level();
    },
    async query(statement) {
      requireUsable(BESIDE_TRANSACTION);
      return repeat(renew, async () => {
        const own = statement.isLookUp === true ? lookUps : null;
        const next = (own ?? pipelines).next();
        const client = next instanceof Promise ? await watch.open(next) : next;
        if (own) holdWrites(client, setImmediate);
        return watch.run(client, () => run(client, statement));
      });
    },
    async tx(work, { plans } = { plans: 'anew' }) {
      requireUsable('a transaction inside a transaction');
      const { result, callbacks } = await repeat(renew, () =>
        inTransaction.run(true, () => runTransaction({ pool, watch }, BEGIN[plans], work)),
      );
      for (const action of callbacks) action();
      return result;
    },
    async queryRowBytes(statement) {
      requireUsable(BESIDE_TRANSACTION);
      return runForBytes({ pool, watch }, statement);
    },
    runAs: (_owner, work) => work(),
    snapshot: options.snapshot ?? null,
    createThreadHandle: options.createThreadHandle,
    async close() {
      isClosed = true;
      await watch.close(() => Promise.all([pipelines.end(), lookUps?.end(), pool.end()]));
      await options.release();
    },
  };
}

interface Sessions {
  pool: TransactionPool;
  pipelines: Pipelines;
  /** null: look-ups go with the others. */
  lookUps: Pipelines | null;
  /** Makes all of them anew, unless it did so just now; says whether it did. */
  renew(): boolean;
}

function createSessions(options: ConnectOptions): Sessions {
  const { Client = pg.Client, connection, onReadOnly } = options;
  const config: pg.ClientConfig = { ...connection, types: columnTypes };
  const createPipelinedClient = () => new Client({ ...config, pipeline: true });
  const pool = createTransactionPool(config, options);
  const pipelines = createPipelines(options.pipelines, createPipelinedClient);
  const lookUps = options.separatesLookUps === true ? createPipelines(1, createPipelinedClient) : null;
  const renew = createSessionRenewal(() => {
    onReadOnly?.();
    for (const each of [pipelines, lookUps, pool]) each?.renew();
  });
  return { pool, pipelines, lookUps, renew };
}

const BESIDE_TRANSACTION = 'a query beside the transaction that is running';

const MAX_ATTEMPTS = 5;

/**
 * Runs what was undone by a serialization failure or a deadlock again: a transaction, or a statement, which is one of its own. So
 * it does what a session refused that takes no writes, where that made all sessions anew.
 */
async function repeat<T>(renew: Sessions['renew'], work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const mayRepeat = isReadOnly(error) ? renew() : isRetryable(error);
      if (attempt === MAX_ATTEMPTS || !mayRepeat) throw error;
    }
  }
}

/** serialization_failure and deadlock_detected. */
const isRetryable = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && (error.code === '40001' || error.code === '40P01');

/** in_failed_sql_transaction: of a statement that was sent with one that failed; work that waits for both may hear of this one first. */
const isOfAbortedTransaction = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '25P02';

/** Writers of records plan anew: a plan from when a table was small made a first import quadratic. */
const PLAN_ANEW = 'set local plan_cache_mode = force_custom_plan';
const BEGIN = {
  anew: `begin; ${PLAN_ANEW}`,
  kept: 'begin',
};

interface Connections {
  pool: TransactionPool;
  watch: ResponseWatch;
}

const runTransaction = <T>(
  { pool, watch }: Connections,
  begin: string,
  work: (tx: Tx) => Promise<T>,
): Promise<{ result: T; callbacks: (() => void)[] }> =>
  pool.use(async (client, fail) => {
    const callbacks: (() => void)[] = [];
    let isOver = false;
    let firstFault: unknown;
    const execute = (text: string) => watch.run(client, () => client.query(text));
    // A statement that is sent later would take effect by itself, or in somebody else's transaction.
    const requireOpen = (): void => {
      if (isOver) throw new Error('a statement after the end of its transaction');
    };
    const end = (text: 'commit' | 'rollback') => {
      isOver = true;
      return execute(text);
    };
    const plansAnew = begin === BEGIN.anew;
    const tx: Tx = {
      async query(statement) {
        requireOpen();
        const send = plansAnew && statement.isForAnyPatient === true ? runForAnyPatient : run;
        return watch
          .run(client, () => send(client, statement))
          .catch((error: unknown) => {
            firstFault ??= error;
            throw error;
          });
      },
      async script(text) {
        requireOpen();
        await execute(text);
      },
      afterCommit: (action) => void callbacks.push(action),
    };
    try {
      await execute(begin);
      const result = await work(tx);
      await commitOrThrow(() => end('commit'));
      return { result, callbacks };
    } catch (error) {
      await end('rollback').catch(fail);
      throw isOfAbortedTransaction(error) ? (firstFault ?? error) : error;
    }
  });

const prefixes = new WeakMap<pg.ClientBase, string>();
let clients = 0;

/** Builds the prefix of the names of a thread's prepared statements. */
export const buildThreadPrefix = (thread: number): string => `t${thread}c`;

/** Prepared names carry the thread and the client: on the embedded engine all clients share one session. */
function getStatementPrefix(client: pg.ClientBase): string {
  let prefix = prefixes.get(client);
  if (!prefix) prefixes.set(client, (prefix = `${buildThreadPrefix(threadId)}${++clients}_`));
  return prefix;
}

const toPrepared = (client: pg.ClientBase, { text, values }: Sql): pg.QueryConfig => ({
  name: getStatementPrefix(client) + getStatementName(text),
  text,
  values: values as unknown[],
});

const runForBytes = ({ pool, watch }: Connections, statement: Sql): Promise<RowBytes | null> =>
  pool.use((client) => watch.run(client, () => readRowBytes(client, toPrepared(client, statement))));

async function run<Row>(client: pg.ClientBase, statement: Sql<Row>): Promise<Row[]> {
  // What is sent at once is on its way before anything else runs: an import builds entries then, and does not answer meanwhile.
  holdWrites(client, queueMicrotask);
  const result = await client.query<Row & pg.QueryResultRow>(toPrepared(client, statement));
  return result.rows;
}

/** Plans anew too, since it has no name, but without its values. */
async function runForAnyPatient<Row>(client: pg.ClientBase, { text, values }: Sql<Row>): Promise<Row[]> {
  holdWrites(client, queueMicrotask);
  const [, { rows }] = await Promise.all([
    client.query('set local plan_cache_mode = force_generic_plan'),
    client.query<Row & pg.QueryResultRow>({ text, values: values as unknown[] }),
    client.query(PLAN_ANEW),
  ]);
  return rows;
}
