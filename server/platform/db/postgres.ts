import { Socket } from 'node:net';
import pg from 'pg';
import { connect, type ConnectOptions } from './connect.ts';
import { parseDatabaseUrls } from './database-urls.ts';
import type { Db } from './db.ts';
import { createFailover, type Failover } from './failover-client.ts';
import { withSessionSettings } from './session-settings.ts';
import { withStoreErrors } from './with-store-errors.ts';
import { createStoreCapacity, type StoreCapacity } from './store-capacity.ts';
import { PostgresSocket } from './postgres-socket.ts';
import { createResponseWatch, WATCH_LIMITS, type WatchLimits } from './response-watch.ts';

export type PoolSize = Pick<ConnectOptions, 'pipelines' | 'separatesLookUps' | 'transactions'>;

const ONE_SERVER: Failover = { Client: pg.Client, forgetPrimary: () => {} };

const SERVICE_POOL_SIZE: PoolSize = { pipelines: 8, separatesLookUps: true, transactions: 10 };

/**
 * Connects to a PostgreSQL server, 15 or newer. `url` is a libpq connection string; where it names several hosts, to the one
 * of them that takes writes.
 */
export function openPostgres(
  url: string,
  {
    size = SERVICE_POOL_SIZE,
    watchLimits = WATCH_LIMITS,
    capacity = createStoreCapacity(),
  }: { size?: PoolSize; watchLimits?: WatchLimits; capacity?: StoreCapacity } = {},
): Db {
  const urls = parseDatabaseUrls(url).map(withSessionSettings);
  const { Client, forgetPrimary } = urls.length > 1 ? createFailover(urls) : ONE_SERVER;
  const connection = {
    connectionString: urls[0] ?? url,
    application_name: 'chartgate',
    // Also the time that a transaction waits for a connection of the pool.
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    stream: createSocket,
    // A statement that runs a minute is a fault; it must not keep its locks and its connection.
    statement_timeout: 60_000,
  };
  const db = connect({
    engine: 'postgresql',
    capacity,
    connection,
    Client,
    onReadOnly: forgetPrimary,
    ...size,
    watch: createResponseWatch(() => new Client({ ...connection, connectionTimeoutMillis: 0 }), watchLimits),
    createThreadHandle: () => ({ access: { databaseUrl: url, capacity: capacity.shared }, transfer: [] }),
    release: async () => {},
  });
  return withStoreErrors(db);
}

/** The driver hands over what it connects by, which its types do not say. TLS takes over the handle of a socket, and reads by itself. */
const createSocket = (...[connection]: pg.ClientConfig[]): Socket =>
  connection?.ssl === false ? new PostgresSocket() : new Socket();
