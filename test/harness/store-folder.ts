import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** A file system in memory that Linux has everywhere; in a container it may be small. */
const MEMORY = '/dev/shm';
const MIN_FREE_BYTES = 3 * 1024 ** 3;
const NAME = /^chartgate-stores-(\d+)$/;

/**
 * Where the databases of a run have their files, hundreds of short-lived ones of 12 MB: in memory where enough is free. A copy
 * of the template costs 0.05 CPU-seconds there and 0.2 to 0.5 on ext4, an embedded store 0.4 less.
 */
export const storeFolder = (): string => process.env['CHARTGATE_TEST_STORES'] ?? os.tmpdir();

/** For a run: takes a folder in memory for its databases, and returns what removes it. */
export function takeStoreFolder(): () => void {
  if (!hasFreeMemory()) return () => {};
  removeLeftFolders();
  const folder = path.join(MEMORY, `chartgate-stores-${process.pid}`);
  fs.rmSync(folder, { recursive: true, force: true });
  // PostgreSQL does not run as root, and must pass through.
  fs.mkdirSync(folder, { mode: 0o755 });
  process.env['CHARTGATE_TEST_STORES'] = folder;
  return () => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}

function hasFreeMemory(): boolean {
  if (!fs.existsSync(MEMORY)) return false;
  const { bavail, bsize } = fs.statfsSync(MEMORY);
  return bavail * bsize >= MIN_FREE_BYTES;
}

/** Of runs that were killed. */
function removeLeftFolders(): void {
  for (const name of fs.readdirSync(MEMORY)) {
    const pid = NAME.exec(name)?.[1];
    if (pid !== undefined && !fs.existsSync(`/proc/${pid}`))
      fs.rmSync(path.join(MEMORY, name), { recursive: true, force: true });
  }
}
