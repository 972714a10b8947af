import { readCheckedConfig } from '../server/check-environment.ts';
import type { Config } from '../server/config.ts';
import { openConfiguredDb } from '../server/run.ts';
import type { Db } from '../server/platform/db/db.ts';

/** Runs `work` on the configured store, migrated, and closes it. */
export async function withDb<T>(work: (db: Db, config: Config) => Promise<T>): Promise<T> {
  const config = await readCheckedConfig(process.env);
  const db = await openConfiguredDb(config);
  try {
    return await work(db, config);
  } finally {
    await db.close();
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
