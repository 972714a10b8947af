import type { Command } from 'commander';
import { say, withStore } from '../store.ts';

/** `chartgate migrate`: brings the schema up to date and ends; `serve` does the same at start. */
export function migrateCommand(program: Command): void {
  program
    .command('migrate')
    .description('bring the schema of the store up to date')
    .option('--json', 'print one JSON object')
    .action(async (options: { json?: boolean }) => {
      await withStore(async (db) =>
        say(options, { engine: db.engine, upToDate: true }, [`The ${db.engine} store is up to date.`]),
      );
    });
}
