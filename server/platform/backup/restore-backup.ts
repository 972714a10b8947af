import { one, type Db, type Tx } from '../db/db.ts';
import { migrate, readMigrations, type Migration } from '../db/migrate.ts';
import { raw } from '../db/sql.ts';
import { findAppliedMigrations, hasRows, hasSchema, insertRows } from './backup.sql.ts';
import { BackupError, createRowDigest, SESSION_FORMAT, type Manifest } from './backup-format.ts';
import { listTables } from './list-tables.ts';
import { damagedTable, openBackup, type OpenBackup } from './read-backup.ts';

/**
 * Fills an empty store from a backup of either engine: its schema first, then all rows in one transaction, then what migrations
 * are newer than the backup. A backup that is damaged, cut off or of a newer program, and a store that holds anything, are
 * refused, and the store stays empty.
 */
export async function restoreBackup(db: Db, file: string): Promise<Manifest> {
  const backup = await openBackup(file);
  try {
    const { manifest } = backup;
    const migrations = await readMigrations();
    await requireNoNewerSchema(db, manifest);
    await migrate(db, selectMigrations(migrations, manifest));
    await db.tx(async (tx) => {
      await tx.script(SESSION_FORMAT);
      const tables = await listTables(tx);
      await requireEmpty(tx, tables);
      requireSameTables(manifest, tables);
      for (const table of manifest.tables) await fillTable(tx, backup, table);
    });
    await db.query(raw('analyze'));
    await migrate(db, migrations);
    return manifest;
  } finally {
    backup.close();
  }
}

/** The migrations of the backup, which this program has to have, the same. */
function selectMigrations(ours: readonly Migration[], { migrations }: Manifest): Migration[] {
  const newest = migrations.at(-1)?.name ?? '';
  const selected = ours.filter(({ name }) => name <= newest);
  const isSame =
    selected.length === migrations.length &&
    selected.every(({ name }, index) => name === migrations[index]?.name);
  if (!isSame)
    throw new BackupError(
      `the backup is of a newer Chartgate (${newest}), which this one cannot serve; restore it with that version or a later one`,
    );
  return selected;
}

/** A store that a newer program has prepared, even for no rows, does not go back to the schema of the backup. */
async function requireNoNewerSchema(db: Db, { migrations }: Manifest): Promise<void> {
  if (!(await one(db, hasSchema())).found) return;
  const newest = (await db.query(findAppliedMigrations())).at(-1)?.name ?? '';
  if (newest > (migrations.at(-1)?.name ?? ''))
    throw new BackupError(
      'the store has tables of a later version than the backup; restore into one without any tables, which becomes up to date then',
    );
}

async function requireEmpty(tx: Tx, tables: readonly string[]): Promise<void> {
  for (const name of tables) {
    const { found } = await one(tx, hasRows(name));
    if (found) throw new BackupError('the store is not empty; a backup is restored into an empty one');
  }
}

/** A backup that lacks a table would restore a record without, for example, the withdrawals. */
function requireSameTables({ tables }: Manifest, present: readonly string[]): void {
  const listed = tables.map(({ name }) => name);
  if (listed.toSorted().join() === present.toSorted().join()) return;
  throw new BackupError('the backup is damaged: its tables are not those of its version');
}

/** SQLSTATEs of an engine or a disk that is too small. */
const TOO_SMALL: ReadonlyMap<unknown, string> = new Map([
  ['53100', 'the disk is full; nothing was restored'],
  ['53200', 'the database has no memory for a row of the backup; nothing was restored'],
]);

/** SQLSTATEs of values that a table does not take: only a row that no backup wrote has them. */
const BAD_ROW = /^(22|23|42|54|0A)...$/;

async function fillTable(
  tx: Tx,
  backup: OpenBackup,
  { name, rows: expected, digest: expectedDigest }: Manifest['tables'][number],
): Promise<void> {
  const digest = createRowDigest();
  for await (const rows of backup.readRows(name)) {
    for (const row of rows) digest.add(row);
    if (digest.rows > expected) throw damagedTable(name);
    // What the store says of a row quotes it.
    await tx.query(insertRows(name, rows)).catch((error: unknown) => {
      const { code } = error as { code?: unknown };
      const reason = TOO_SMALL.get(code);
      if (reason !== undefined) throw new BackupError(reason);
      throw BAD_ROW.test(String(code)) ? damagedTable(name) : error;
    });
  }
  if (digest.rows !== expected || digest.digest !== expectedDigest) throw damagedTable(name);
}
