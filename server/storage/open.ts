import type { Db } from './db.ts';
import { openEmbedded, type EmbeddedOptions } from './embedded.ts';
import { keepHealthy } from './maintenance.ts';
import { migrate } from './migrate.ts';
import { openPostgres } from './postgres.ts';

export interface StoreOptions extends EmbeddedOptions {
  databaseUrl: string | undefined;
}

/** The store, its schema up to date. */
export async function openStore(options: StoreOptions): Promise<Db> {
  const db = options.databaseUrl
    ? openPostgres(options.databaseUrl)
    : keepHealthy(await openEmbedded(options));
  try {
    await migrate(db);
  } catch (error) {
    await db.close();
    throw error;
  }
  return db;
}
