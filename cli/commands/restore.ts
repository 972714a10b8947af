import type { Command } from 'commander';
import { readCheckedConfig } from '../../server/check-environment.ts';
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
      const db = await openConfiguredDb(await readCheckedConfig(process.env), 'as it is');
      try {
        const manifest = await restoreBackup(db, file);
        const rows = countRows(manifest);
        printResult(options, { engine: db.engine, takenAt: manifest.takenAt, rows }, [
          `Restored ${rows} rows, as of ${manifest.takenAt}, into the ${db.engine} store.`,
        ]);
      } finally {
        await db.close();
      }
    });
}
