import type { Config } from './config.ts';
import { formatMebibytes, readDiskSpace } from './platform/db/disk-space.ts';
import { openReserveFile } from './platform/db/reserve-file.ts';
import type { CapacityLevel, StoreCapacity } from './platform/db/store-capacity.ts';
import { UPLOADS_FACTOR } from './platform/db/watch-disk.ts';

type DbConfig = Pick<Config['db'], 'databaseUrl' | 'dataDirectory' | 'reserve'>;

const REFUSED: Readonly<Record<Exclude<CapacityLevel, 'ample'>, string>> = {
  low: 'uploads are refused (507 store_full)',
  full: 'uploads, reads of records and what leads to reads are refused (507 store_full); withdrawals go on',
};

/** Says what the store refuses for want of space, and what it would need; null while it takes everything. */
export function describeCapacity(level: CapacityLevel, db: DbConfig): string | null {
  return level === 'ample' ? null : `${REFUSED[level]}: ${describeSpace(level, db)}`;
}

function describeSpace(
  level: Exclude<CapacityLevel, 'ample'>,
  { databaseUrl, dataDirectory, reserve: { bytes } }: DbConfig,
): string {
  const reserve = `CHARTGATE_RESERVE_BYTES (${formatMebibytes(bytes)})`;
  if (databaseUrl !== undefined)
    return `the disk of PostgreSQL has no space for ${level === 'full' ? '' : 'the second half of '}the reserve, twice ${reserve}`;
  const needed = level === 'full' ? bytes : bytes * UPLOADS_FACTOR;
  const missing = openReserveFile({ dataDirectory, bytes }).missingBytes();
  const left = Math.max(0, readDiskSpace(dataDirectory).free - missing);
  return `the disk of ${dataDirectory} has ${formatMebibytes(left)} left besides the reserve, and ${formatMebibytes(needed)} are needed, ${level === 'full' ? 'as much as' : `${UPLOADS_FACTOR} times`} ${reserve}`;
}

/** How often to look: the level is of memory that the threads of the process share. */
const INTERVAL_MS = 1_000;

export interface CapacityReport {
  close(): void;
}

interface CapacityLog {
  info(values: object, message: string): void;
  warn(values: object, message: string): void;
  error(values: object, message: string): void;
}

/** Logs once what the store refuses for want of space, when that begins, changes and ends. */
export function reportCapacity(
  capacity: Pick<StoreCapacity, 'level'>,
  { db, log, intervalMs = INTERVAL_MS }: { db: DbConfig; log: CapacityLog; intervalMs?: number },
): CapacityReport {
  let last: CapacityLevel = 'ample';
  const look = (): void => {
    const level = capacity.level();
    if (level === last) return;
    last = level;
    const text = describeCapacity(level, db);
    if (text === null) log.info({ capacity: level }, 'the store has space for everything again');
    else log[level === 'full' ? 'error' : 'warn']({ capacity: level }, `${text}; make space`);
  };
  look();
  const timer = setInterval(look, intervalMs).unref();
  return { close: () => clearInterval(timer) };
}
