import type { Command } from 'commander';
import { reindexAll } from '../../server/records/reindex.ts';
import { indexEntries } from '../../server/search/index-entries.ts';
import { documentProcesses } from '../../server/uploads/documents/document-processes.ts';
import { say, withStore } from '../store.ts';

/** `chartgate reindex`: rebuilds what the tools read from the stored resources. Readers are served meanwhile. */
export function reindexCommand(program: Command): void {
  program
    .command('reindex')
    .description("rebuild every record's clinical entries and search index from its resources")
    .option('--json', 'print one JSON object')
    .action(async (options: { json?: boolean }) => {
      await withStore(async (db) => {
        const documents = documentProcesses();
        const textOf = (document: Buffer): Promise<string | null> => documents.textOf(document);
        const result = await reindexAll({ db, index: indexEntries, textOf });
        await documents.close();
        say(options, result, [`Rebuilt ${result.records} records.`]);
      });
    });
}
