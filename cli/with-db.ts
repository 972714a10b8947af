import { readCheckedConfig } from '../server/check-environment.ts';
import type { Config } from '../server/config.ts';
import { openConfiguredDb } from '../server/run.ts';
import type { Db } from '../server/platform/db/db.ts';
import { systemClock } from '../server/platform/kernel/clock.ts';
import { createObjects, type Objects } from '../server/platform/objects/objects.ts';
import { createObjectStore, type ObjectStore } from '../server/platform/objects/s3-client.ts';

type Work<T> = (db: Db, config: Config) => Promise<T>;

/** Runs `work` on the configured store, migrated, and closes it. Throws NoStoreError where there is none. */
export const withDb = <T>(work: Work<T>): Promise<T> => withOpenDb('existing, migrated', work);

/** The same for what makes a store where there is none. */
export const withDbOrNew = <T>(work: Work<T>): Promise<T> => withOpenDb('migrated', work);

async function withOpenDb<T>(how: Parameters<typeof openConfiguredDb>[1], work: Work<T>): Promise<T> {
  const config = await readCheckedConfig(process.env);
  const db = await openConfiguredDb(config, how);
  try {
    return await work(db, config);
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
