import fs from 'node:fs';
import type { Command } from 'commander';
import { readCheckedConfig } from '../../server/check-environment.ts';
import type { Config } from '../../server/config.ts';
import type { Manifest } from '../../server/platform/backup/backup-format.ts';
import { requestServedSnapshot } from '../../server/platform/backup/snapshot-socket.ts';
import { writeBackup } from '../../server/platform/backup/write-backup.ts';
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
      const manifest = await backUp(await readCheckedConfig(process.env), file);
      const rows = countRows(manifest);
      const result = { file, takenAt: manifest.takenAt, rows, bytes: fs.statSync(file).size };
      printResult(options, result, [
        `Wrote ${rows} rows of ${manifest.tables.length} tables to ${file} (${result.bytes} bytes).`,
        'It holds health records and signing keys: keep it as you keep the store.',
      ]);
    });
}

export const countRows = ({ tables }: Manifest): number => tables.reduce((sum, { rows }) => sum + rows, 0);

async function backUp(config: Config, file: string): Promise<Manifest> {
  try {
    return await writeFrom(config, file);
  } catch (error) {
    if (!(error instanceof DirectoryInUseError)) throw error;
  }
  const folder = await requestServedSnapshot(config.db.dataDirectory);
  try {
    return await writeFrom({ ...config, db: { ...config.db, dataDirectory: folder } }, file);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

async function writeFrom(config: Config, file: string): Promise<Manifest> {
  const db = await openConfiguredDb(config, 'as it is');
  try {
    return await writeBackup({ db, clock: systemClock }, file);
  } finally {
    await db.close();
  }
}
