import { connect } from './connect.ts';
import type { Db } from './db.ts';

/** A PostgreSQL server, 15 or newer. `url` is a libpq connection string. */
export const openPostgres = (url: string): Db =>
  connect({
    engine: 'postgresql',
    connection: {
      connectionString: url,
      application_name: 'chartgate',
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
      // A statement that runs a minute is a mistake; it must not hold its locks and its connection.
      statement_timeout: 60_000,
    },
    pipelines: 8,
    transactions: 10,
    release: async () => {},
  });
