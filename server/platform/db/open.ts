import type { Db } from './db.ts';
import { systemClock } from '../kernel/clock.ts';
import { createEmbeddedStore } from './create-embedded.ts';
import { openEmbedded, type EmbeddedOptions } from './embedded.ts';
import { keepReserve } from './keep-reserve.ts';
import { startMaintenance } from './maintenance.ts';
import { migrate } from './migrate.ts';
import { openPostgres } from './postgres.ts';
import type { ReserveOptions } from './store-capacity.ts';

export interface DbOptions extends EmbeddedOptions {
  databaseUrl: string | undefined;
}

/** Opens the store as it is: for what must not change its schema. */
export const openStore = async (options: DbOptions): Promise<Db> =>
  options.databaseUrl
    ? openWithReserve(options.databaseUrl, options.reserve ?? { bytes: 0 })
    : startMaintenance(await createAndOpen(options), systemClock);

/** Opens the store and migrates its schema. */
export async function openDb(options: DbOptions): Promise<Db> {
  const db = await openStore(options);
  try {
    await migrate(db);
  } catch (error) {
    await db.close();
    throw error;
  }
  return db;
}

const openWithReserve = (databaseUrl: string, reserve: ReserveOptions): Db =>
  reserve.bytes === 0 ? openPostgres(databaseUrl) : keepReserve(openPostgres(databaseUrl), reserve);

async function createAndOpen(options: EmbeddedOptions): Promise<Db> {
  await createEmbeddedStore(options.dataDirectory);
  return openEmbedded(options);
}
