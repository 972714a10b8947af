import type { Command } from 'commander';
import { readCheckedConfig } from '../../server/check-environment.ts';
import { BackupError } from '../../server/platform/backup/backup-format.ts';
import { readBackupManifest } from '../../server/platform/backup/read-backup.ts';
import { restoreBackup } from '../../server/platform/backup/restore-backup.ts';
import { openConfiguredDb } from '../../server/run.ts';
import { printResult } from '../with-db.ts';
import { countRows } from './backup.ts';

/** `chartgate restore FILE` fills an empty store, of either engine, from a backup of either engine. */
export function configureRestoreCommand(command: Command): void {
  command
    .argument('<file.zip>', 'what `chartgate backup` wrote')
    .option('--json', 'print one JSON object')
    .action(async (file: string, options: { json?: boolean }) => {
      const config = await readCheckedConfig(process.env);
      const objects = await countObjects(file);
      if (objects > 0 && config.objectStore === null)
        throw new BackupError(
          `the backup refers to ${objects} files in an object store, which are not in it; set CHARTGATE_OBJECT_STORE_URL to that store, or to a copy of it`,
        );
      const db = await openConfiguredDb(config, 'as it is');
      try {
        const manifest = await restoreBackup(db, file);
        const rows = countRows(manifest);
        printResult(options, { engine: db.engine, takenAt: manifest.takenAt, rows }, [
          `Restored ${rows} rows, as of ${manifest.takenAt}, into the ${db.engine} store.`,
          ...(objects === 0
            ? []
            : [`${objects} files are in the object store: "chartgate objects verify" looks for them.`]),
        ]);
      } finally {
        await db.close();
      }
    });
}

/** Counts the files outside of the database that a backup refers to. */
async function countObjects(file: string): Promise<number> {
  const { tables } = await readBackupManifest(file);
  return tables.find(({ name }) => name === 'stored_object')?.rows ?? 0;
}
