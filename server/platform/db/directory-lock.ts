import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export class DirectoryInUseError extends Error {
  constructor(directory: string) {
    super(
      `The data directory ${directory} is in use by another Chartgate process. ` +
        'Stop it first. While it serves, members, API keys and projects are managed by the console and the API, and ' +
        '`chartgate backup` and `chartgate doctor` work beside it. Another service needs a CHARTGATE_DATA_DIR of its own; ' +
        'several processes share a store on PostgreSQL alone (DATABASE_URL).',
    );
    this.name = 'DirectoryInUseError';
  }
}

/**
 * Locks `directory` for this process until it ends. The embedded engine has no lock of its own: a second process
 * would lose committed rows. A SQLite exclusive transaction is a kernel lock: it is refused while held
 * and free the moment the holder is killed, where files with process ids have to guess.
 */
export function lockDirectory(directory: string): { release(): void } {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const lock = new DatabaseSync(path.join(directory, 'owner.lock'));
  try {
    // A journal beside it would be a file, for which a full disk has no space.
    lock.exec('pragma journal_mode = memory; pragma locking_mode = exclusive; begin exclusive');
  } catch (error) {
    lock.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === 5)
      throw new DirectoryInUseError(directory);
    throw error;
  }
  return { release: () => lock.close() };
}
