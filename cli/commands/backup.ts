import fs from 'node:fs';
import type { Command } from 'commander';
import { readCheckedConfig } from '../../server/check-environment.ts';
import type { Config } from '../../server/config.ts';
import { BackupError, type Manifest } from '../../server/platform/backup/backup-format.ts';
import { requestServedSnapshot } from '../../server/platform/backup/snapshot-socket.ts';
import {
  withBackupFile,
  writeBackupInto,
  type BackupFile,
} from '../../server/platform/backup/write-backup.ts';
import { DirectoryInUseError } from '../../server/platform/db/directory-lock.ts';
import { systemClock } from '../../server/platform/kernel/clock.ts';
import { openConfiguredDb } from '../../server/run.ts';
import { printResult } from '../with-db.ts';

/** `chartgate backup FILE` writes all that the store holds, as of one moment, while it is served. */
export function configureBackupCommand(command: Command): void {
  command
    .argument('<file.zip>', 'where to write it; it must not exist')
    .option('--json', 'print one JSON object')
    .action(async (file: string, options: { json?: boolean }) => {
      const config = await readCheckedConfig(process.env);
      const manifest = await withBackupFile(file, (target) => backUp(config, target));
      const rows = countRows(manifest);
      const result = { file, takenAt: manifest.takenAt, rows, bytes: fs.statSync(file).size };
      printResult(options, result, [
        `Wrote ${rows} rows of ${manifest.tables.length} tables to ${file} (${result.bytes} bytes).`,
        'It holds health records and signing keys: keep it as you keep the store.',
      ]);
    });
}

export const countRows = ({ tables }: Manifest): number => tables.reduce((sum, { rows }) => sum + rows, 0);

async function backUp(config: Config, file: BackupFile): Promise<Manifest> {
  try {
    return await writeFrom(config, file);
  } catch (error) {
    if (!(error instanceof DirectoryInUseError)) throw error;
  }
  const snapshot = await requestServedSnapshot(config.db.dataDirectory);
  try {
    return await writeFrom({ ...config, db: { ...config.db, dataDirectory: snapshot.folder } }, file);
  } finally {
    snapshot.release();
  }
}

async function writeFrom(config: Config, file: BackupFile): Promise<Manifest> {
  const db = await openConfiguredDb(config, 'existing, as it is');
  const stop = new AbortController();
  const interrupt = (): void => stop.abort(new BackupError('interrupted; nothing was written'));
  for (const signal of INTERRUPTIONS) process.once(signal, interrupt);
  try {
    return await writeBackupInto({ db, clock: systemClock, signal: stop.signal }, file);
  } finally {
    for (const signal of INTERRUPTIONS) process.off(signal, interrupt);
    await db.close();
  }
}

const INTERRUPTIONS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
