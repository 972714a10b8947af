import type { Command } from 'commander';
import { describeSchemaChange } from '../../server/platform/db/schema-state.ts';
import { printResult, withMigratedDb } from '../with-db.ts';

/** `chartgate migrate` brings the schema up to date and ends; `serve` does the same at start. */
export function configureMigrateCommand(command: Command): void {
  command.option('--json', 'print one JSON object').action(async (options: { json?: boolean }) => {
    await withMigratedDb(async (db, _config, schema) =>
      printResult(options, { engine: db.engine, upToDate: true, ...schema }, [
        `The ${db.engine} store is up to date: ${describeSchemaChange(schema)}.`,
      ]),
    );
  });
}
