import type { Db } from './db.ts';
import { systemClock } from '../kernel/clock.ts';
import { createEmbeddedStore } from './create-embedded.ts';
import { openEmbedded, type EmbeddedOptions } from './embedded.ts';
import { startMaintenance } from './maintenance.ts';
import { migrate } from './migrate.ts';
import { openPostgres } from './postgres.ts';

export interface DbOptions extends EmbeddedOptions {
  databaseUrl: string | undefined;
}

/** Opens the store and migrates its schema. */
export async function openDb(options: DbOptions): Promise<Db> {
  const db = options.databaseUrl
    ? openPostgres(options.databaseUrl)
    : startMaintenance(await createAndOpen(options), systemClock);
  try {
    await migrate(db);
  } catch (error) {
    await db.close();
    throw error;
  }
  return db;
}

async function createAndOpen(options: EmbeddedOptions): Promise<Db> {
  await createEmbeddedStore(options.dataDirectory);
  return openEmbedded(options);
}
