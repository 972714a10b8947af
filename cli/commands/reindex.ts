import type { Command } from 'commander';
import { reindexAll, type Reindexed } from '../../server/clinical/ingest/import/reindex.ts';
import { VOCABULARY } from '../../server/clinical/concepts/read-vocabulary.ts';
import { createRecordsUpdatedEmitter } from '../../server/consent/decisions/records-updated-event.ts';
import { createEmitter } from '../../server/surfaces/webhooks/events/create-emitter.ts';
import { systemClock } from '../../server/platform/kernel/clock.ts';
import { createDocumentProcessPool } from '../../documents/sandbox/document-process-pool.ts';
import { printResult, withDb } from '../with-db.ts';

/** `chartgate reindex` rebuilds what the tools read from the stored resources. Readers are served meanwhile. */
export function configureReindexCommand(command: Command): void {
  command.option('--json', 'print one JSON object').action(async (options: { json?: boolean }) => {
    await withDb(async (db) => {
      const documents = createDocumentProcessPool();
      const result = await reindexAll({
        db,
        clock: systemClock,
        getVocabulary: VOCABULARY.get,
        emitUpdate: createRecordsUpdatedEmitter(createEmitter(() => {})),
        extractText: (document) => documents.extractText(document),
      });
      await documents.close();
      printResult(options, result, describe(result));
      if (result.failed > 0) process.exitCode = 1;
    });
  });
}

const describe = ({ records, failed, failures }: Reindexed): string[] => [
  `Rebuilt ${records} records.`,
  ...(failed === 0 ? [] : [`Not rebuilt, and read as before: ${failed}`]),
  ...failures.map(({ patientId, error }) => `  ${patientId}  ${error}`),
  ...(failed > failures.length ? [`  … and ${failed - failures.length} more`] : []),
];
