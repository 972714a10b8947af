import type { Db } from './db.ts';
import { openEmbedded, type EmbeddedOptions } from './embedded.ts';
import { startMaintenance } from './maintenance.ts';
import { migrate } from './migrate.ts';
import { openPostgres } from './postgres.ts';

export interface DbOptions extends EmbeddedOptions {
  databaseUrl: string | undefined;
}

/** The store, its schema up to date. */
export async function openDb(options: DbOptions): Promise<Db> {
  const db = options.databaseUrl
    ? openPostgres(options.databaseUrl)
    : startMaintenance(await openEmbedded(options));
  try {
    await migrate(db);
  } catch (error) {
    await db.close();
    throw error;
  }
  return db;
}
