import pg from 'pg';
import type { Db } from './db.ts';
import type { ResponseWatch } from './response-watch.ts';

/** Connections for transactions, one at a time each. */
export interface TransactionPool {
  /** Runs `work` on a connection; one that was lost, or that `fail` was called for, is not used again. */
  use<T>(work: (client: pg.PoolClient, fail: (error: Error) => void) => Promise<T>): Promise<T>;
  /** Uses none of the connections of now again. */
  renew(): void;
  end(): Promise<void>;
}

interface PoolOptions {
  engine: Db['engine'];
  /** How many there are at most. */
  transactions: number;
  Client?: typeof pg.Client;
  watch: ResponseWatch;
}

export function createTransactionPool(config: pg.ClientConfig, options: PoolOptions): TransactionPool {
  const { watch } = options;
  const pool = createPool(config, options);
  let current = {};
  const renewals = new WeakMap<pg.ClientBase, object>();
  pool.on('connect', (client) => void renewals.set(client, current));
  const isOld = (client: pg.ClientBase): boolean => renewals.get(client) !== current;

  async function take(): Promise<pg.PoolClient> {
    for (;;) {
      const client = await watch.open(pool.connect(), (late) => late.release());
      if (!isOld(client)) return client;
      client.release(true);
    }
  }

  return {
    async use(work) {
      const client = await take();
      // The pool does not listen to a connection in use, so its loss between two statements would be fatal.
      let lost: Error | undefined;
      const markLost = (error: Error): void => void (lost = error);
      client.on('error', markLost);
      try {
        return await work(client, markLost);
      } finally {
        client.off('error', markLost);
        client.release(lost ?? isOld(client));
      }
    },
    renew: () => void (current = {}),
    end: () => pool.end(),
  };
}

function createPool(config: pg.ClientConfig, { engine, transactions, Client }: PoolOptions): pg.Pool {
  // On the embedded engine connections stay open: they cost nothing there, and the statements of each new one stay for ever.
  const idleTimeoutMillis = engine === 'embedded' ? 0 : 10_000;
  const pool = new pg.Pool({
    ...config,
    // What a transaction sends at once is on the wire at once.
    pipeline: true,
    max: transactions,
    idleTimeoutMillis,
    ...(Client && { Client }),
  });
  // An idle connection that the server closed is replaced at the next use; without a listener it would be fatal.
  pool.on('error', () => {});
  return pool;
}
