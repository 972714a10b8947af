import fs from 'node:fs';
import path from 'node:path';
import { one, type Db } from './db.ts';
import { sql } from './sql.ts';

/** Nothing was ever stored where the settings say; the message is for the operator. */
export class NoStoreError extends Error {
  readonly code = 'no_store';

  constructor(where: string) {
    super(
      `${where} holds no store of Chartgate. Run the command with the settings of the service, as its user; ` +
        '"chartgate serve", "init", "migrate" and "restore" make a new store.',
    );
    this.name = 'NoStoreError';
  }
}

export const hasEmbeddedStore = (dataDirectory: string): boolean =>
  fs.existsSync(path.join(dataDirectory, 'store', 'PG_VERSION'));

/** Sums the bytes of the files of an embedded store. */
export function measureStore(dataDirectory: string): number {
  const folder = path.join(dataDirectory, 'store');
  if (!fs.existsSync(folder)) return 0;
  return fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => fs.statSync(path.join(folder, name), { throwIfNoEntry: false }))
    .reduce((sum, file) => sum + (file?.isFile() ? file.size : 0), 0);
}

export async function requireSchema(db: Db, where: string): Promise<void> {
  const { found } = await one(
    db,
    sql<{ found: boolean }>`select to_regclass('migration') is not null as found`,
  );
  if (!found) throw new NoStoreError(where);
}
