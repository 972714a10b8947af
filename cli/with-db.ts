import { readCheckedConfig } from '../server/check-environment.ts';
import type { Config } from '../server/config.ts';
import { openConfiguredDb } from '../server/run.ts';
import type { Db } from '../server/platform/db/db.ts';
import { NO_CHANGE, type SchemaChange } from '../server/platform/db/schema-state.ts';
import { systemClock } from '../server/platform/kernel/clock.ts';
import { createObjects, type Objects } from '../server/platform/objects/objects.ts';
import { createObjectStore, type ObjectStore } from '../server/platform/objects/s3-client.ts';

type Work<T> = (db: Db, config: Config) => Promise<T>;

/**
 * Runs `work` on the configured store, and closes it. Throws NoStoreError where there is none, and SchemaError where it is of another
 * schema: a command that looks, or does one thing, upgrades nothing on its way.
 */
export const withDb = <T>(work: Work<T>): Promise<T> =>
  withOpenDb('existing, current', (db, config) => work(db, config));

/** The same for what makes a store where there is none, and brings an older one up to date. */
export const withMigratedDb = <T>(
  work: (db: Db, config: Config, schema: SchemaChange) => Promise<T>,
): Promise<T> => withOpenDb('migrated', work);

async function withOpenDb<T>(
  how: Parameters<typeof openConfiguredDb>[1],
  work: (db: Db, config: Config, schema: SchemaChange) => Promise<T>,
): Promise<T> {
  const config = await readCheckedConfig(process.env);
  let schema = NO_CHANGE;
  const db = await openConfiguredDb(config, how, (change) => void (schema = change));
  try {
    return await work(db, config, schema);
  } finally {
    await db.close();
  }
}

/** Runs `work` with the access to the configured object store, and closes it. */
export async function withObjects<T>(
  { objectStore }: Pick<Config, 'objectStore'>,
  db: Db,
  work: (objects: Objects, store: ObjectStore | null) => Promise<T>,
): Promise<T> {
  const store = objectStore && createObjectStore(objectStore);
  const takesNew = objectStore?.takesNew ?? false;
  try {
    return await work(createObjects({ db, clock: systemClock, store, takesNew }), store);
  } finally {
    await store?.close();
  }
}

/** Prints one JSON object, or the sentences for a person. */
export function printResult(
  options: { json?: boolean | undefined },
  result: object,
  lines: readonly string[],
): void {
  process.stdout.write(options.json ? `${JSON.stringify(result)}\n` : `${lines.join('\n')}\n`);
}
