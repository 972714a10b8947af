import pg from 'pg';
import { one, type Db, type Tx } from '../db/db.ts';
import { migrate, readMigrations, type Migration } from '../db/migrate.ts';
import { addMonthsOfIds, isMissedPartition, isMonthlyTable, MONTHLY_TABLES } from '../db/months.ts';
import { raw } from '../db/sql.ts';
import { toLogMessage } from '../kernel/log-message.ts';
import { findAppliedMigrations, hasRows, hasSchema, insertRows, readColumn } from './backup.sql.ts';
import { BackupError, createRowDigest, SESSION_FORMAT, type Manifest } from './backup-format.ts';
import { listTables } from './list-tables.ts';
import { matchTables } from './match-tables.ts';
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
    const made = await migrate(db, selectMigrations(migrations, manifest));
    await fillStore(db, backup).catch((error: unknown) => {
      throw made.length === 0 ? error : sayWhatIsLeft(error);
    });
    await bringUpToDate(db, migrations);
    return manifest;
  } finally {
    backup.close();
  }
}

async function fillStore(db: Db, backup: OpenBackup): Promise<void> {
  const { manifest } = backup;
  let isFilling = false;
  try {
    await db.tx(async (tx) => {
      await tx.script(SESSION_FORMAT);
      const tables = await listTables(tx);
      await requireEmpty(tx, tables);
      const targets = matchTables(manifest, tables);
      isFilling = true;
      for (const table of manifest.tables)
        await fillTable(tx, backup, { ...table, target: targets.get(table.name) as string });
    });
  } catch (error) {
    // The space of rows that were undone: what made it fail may be that there was too little.
    if (isFilling) await db.query(raw('vacuum')).catch(() => {});
    throw error;
  }
}

const sayWhatIsLeft = (error: unknown): unknown =>
  error instanceof BackupError
    ? new BackupError(
        `${error.message}. No row is in the store; its tables are there, empty, and another attempt may follow`,
      )
    : error;

/** The rows are there by now, whatever happens: only their schema may be one of before. */
async function bringUpToDate(db: Db, migrations: Migration[]): Promise<void> {
  try {
    await db.query(raw('analyze'));
    await migrate(db, migrations);
  } catch (error) {
    throw new BackupError(
      `all rows are restored, but they could not be brought up to date (${toLogMessage(error)}): ` +
        'run "chartgate migrate", which goes on with it',
      { cause: error },
    );
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
  { name, target, rows: expected, digest: expectedDigest }: Manifest['tables'][number] & { target: string },
): Promise<void> {
  const digest = createRowDigest();
  for await (const rows of backup.readRows(name)) {
    for (const row of rows) digest.add(row);
    if (digest.rows > expected) throw damagedTable(name);
    await insert(tx, target, rows).catch((error: unknown) => {
      throw toBackupError(error, name);
    });
  }
  if (digest.rows !== expected || digest.digest !== expectedDigest) throw damagedTable(name);
}

async function insert(tx: Tx, table: string, rows: readonly string[]): Promise<void> {
  if (isMonthlyTable(table)) {
    const ids = await tx.query(readColumn(table, MONTHLY_TABLES[table].column, rows));
    await addMonthsOfIds(
      tx,
      table,
      ids.map(({ value }) => value),
    );
  }
  await tx.query(insertRows(table, rows));
}

/** What the store says of a row quotes it, so that none of it is repeated. */
function toBackupError(error: unknown, table: string): unknown {
  if (!(error instanceof pg.DatabaseError)) return error;
  const reason = TOO_SMALL.get(error.code);
  if (reason !== undefined) return new BackupError(reason);
  if (isMissedPartition(error))
    return new BackupError(`table ${table} has a row that belongs to no month: its id says no time`);
  return BAD_ROW.test(String(error.code)) ? damagedTable(table) : error;
}
