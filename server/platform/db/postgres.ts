import { connect, type ConnectOptions } from './connect.ts';
import type { Db } from './db.ts';
import { withStoreErrors } from './store-error.ts';

type PoolSize = Pick<ConnectOptions, 'pipelines' | 'transactions'>;

const SERVICE_POOL_SIZE: PoolSize = { pipelines: 8, transactions: 10 };

/** Connects to a PostgreSQL server, 15 or newer. `url` is a libpq connection string. */
export const openPostgres = (url: string, size: PoolSize = SERVICE_POOL_SIZE): Db =>
  withStoreErrors(
    connect({
      engine: 'postgresql',
      connection: {
        connectionString: url,
        application_name: 'chartgate',
        connectionTimeoutMillis: 10_000,
        keepAlive: true,
        // A statement that runs a minute is a fault; it must not keep its locks and its connection.
        statement_timeout: 60_000,
      },
      ...size,
      createThreadHandle: () => ({ access: { databaseUrl: url }, transfer: [] }),
      release: async () => {},
    }),
  );
