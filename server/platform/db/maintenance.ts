import type { Clock } from '../kernel/clock.ts';
import type { Db } from './db.ts';
import { one } from './db.ts';
import { raw, sql } from './sql.ts';

export interface MaintenanceLimits {
  /** How often to check, milliseconds. */
  intervalMs: number;
  /** Write-ahead log after which a checkpoint is due, bytes. */
  walBytes: number;
  /** Age of the last checkpoint at which one is due when anything was written, milliseconds. */
  checkpointMs: number;
  /** Written log after which tables are vacuumed and analyzed, bytes. */
  vacuumBytes: number;
  /** Indexes of a table beyond which what was deleted stays in them until the next start, bytes. */
  indexBytes: number;
}

/** Without a checkpoint the log grew to 1.7 GB and reopening took 8.7 s instead of 0.4 s. */
const LIMITS: MaintenanceLimits = {
  intervalMs: 10_000,
  walBytes: 64 * 1024 * 1024,
  checkpointMs: 5 * 60_000,
  vacuumBytes: 256 * 1024 * 1024,
  indexBytes: 16 * 1024 * 1024,
};

/** Checkpoints and vacuums on a timer: the embedded engine has no checkpointer and no autovacuum. */
export function startMaintenance(db: Db, clock: Clock, limits: MaintenanceLimits = LIMITS): Db {
  const tick = createMaintenanceTick(db, clock, limits);
  let running = Promise.resolve();
  const timer = setInterval(() => {
    running = running.then(tick).then(
      () => {},
      () => {},
    );
  }, limits.intervalMs);
  timer.unref();
  return {
    ...db,
    async close() {
      clearInterval(timer);
      await running;
      await db.close();
    },
  };
}

/** Returns a function that checkpoints and vacuums when due, and returns what it did. */
export function createMaintenanceTick(
  db: Db,
  clock: Clock,
  limits: MaintenanceLimits,
): () => Promise<string[]> {
  const readMs = (): number => clock.now().getTime();
  let checkpoint = { written: -1, at: readMs() };
  let vacuumed = -1;
  return async () => {
    const done: string[] = [];
    const written = await readWalBytes(db);
    if (checkpoint.written < 0) checkpoint = { written, at: readMs() };
    if (vacuumed < 0) vacuumed = written;
    const walSinceCheckpoint = written - checkpoint.written;
    if (
      walSinceCheckpoint >= limits.walBytes ||
      (walSinceCheckpoint > 0 && readMs() - checkpoint.at >= limits.checkpointMs)
    ) {
      await db.query(sql`checkpoint`);
      // A checkpoint writes to the log itself; counted as work, it would make the next one due.
      checkpoint = { written: await readWalBytes(db), at: readMs() };
      done.push('checkpoint');
    }
    if (written - vacuumed >= limits.vacuumBytes) {
      await vacuumTables(db, limits);
      vacuumed = written;
      done.push('vacuum');
    }
    return done;
  };
}

/** Reads how many bytes of write-ahead log the database has written since it was created. */
async function readWalBytes(db: Db): Promise<number> {
  const { written } = await one(
    db,
    sql<{ written: number }>`select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint as written`,
  );
  return written;
}

/**
 * Vacuums table by table, so that other statements of the single session run in between. Not those that are empty, such as the
 * months to come: once that is in the statistics, the planner takes any index of theirs, also when they are no longer empty.
 * Words of texts are not counted: those of a few letters took 0.5 s, and their index is used whatever their number.
 * A vacuum reads all of each index, whatever was deleted: the words of one letter of 8 MB took 0.6 s, 0.04 s without. So large ones
 * are left; what is deleted is passed over, and goes at the next start.
 * Of whom a row is stays out of the statistics: where they know one patient, the planner expects one row of the next one, and any
 * index will do for one row. It went through the whole record for each resource of it: 38 s in one statement.
 */
async function vacuumTables(db: Db, { indexBytes }: MaintenanceLimits): Promise<void> {
  await forgetPatientStatistics(db);
  const tables = await db.query(
    sql<{ name: string; columns: string; has_large: boolean }>`
      select relname as name, string_agg(quote_ident(attname), ', ' order by attnum) as columns,
        pg_indexes_size(relid) > ${indexBytes} as has_large
      from pg_stat_user_tables join pg_attribute on attrelid = relid and attnum > 0 and not attisdropped and atttypid <> 'tsvector'::regtype
        and attname <> 'patient_id'
      where pg_relation_size(relid) > 0 group by relid, relname order by relname`,
  );
  for (const { name, columns, has_large: hasLarge } of tables) {
    await db.query(raw(`vacuum ${hasLarge ? '(index_cleanup off) ' : ''}"${name}"`));
    await db.query(raw(`analyze "${name}" (${columns})`));
  }
}

/** Deletes what an analysis of whole tables says of patients: without, each is expected to have a two-hundredth of the rows. */
const forgetPatientStatistics = (db: Db): Promise<unknown> =>
  db.query(sql`
    delete from pg_statistic using pg_attribute
    where attrelid = starelid and attnum = staattnum and attname = 'patient_id'`);

/**
 * Takes what was deleted out of large indexes, before anybody is served, where more than a twentieth of a table's pages has
 * something of it. Nothing is to be done on PostgreSQL, which has an autovacuum.
 */
export async function vacuumIndexes(
  db: Db,
  { indexBytes }: Pick<MaintenanceLimits, 'indexBytes'> = LIMITS,
): Promise<void> {
  if (db.engine !== 'embedded') return;
  // A disk that is full keeps nobody from starting: the next round of maintenance deletes them.
  await forgetPatientStatistics(db).catch(() => {});
  const tables = await db.query(
    sql<{ name: string }>`
      select c.relname as name from pg_stat_user_tables s join pg_class c on c.oid = s.relid
      where pg_indexes_size(c.oid) > ${indexBytes} and c.relallvisible < 0.95 * c.relpages order by 1`,
  );
  for (const { name } of tables) await db.query(raw(`vacuum "${name}"`));
}
