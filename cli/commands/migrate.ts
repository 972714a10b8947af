import type { Command } from 'commander';
import { printResult, withDbOrNew } from '../with-db.ts';

/** `chartgate migrate` brings the schema up to date and ends; `serve` does the same at start. */
export function configureMigrateCommand(command: Command): void {
  command.option('--json', 'print one JSON object').action(async (options: { json?: boolean }) => {
    await withDbOrNew(async (db) =>
      printResult(options, { engine: db.engine, upToDate: true }, [`The ${db.engine} store is up to date.`]),
    );
  });
}
