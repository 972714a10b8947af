import type { BatchId } from '../../contract/brands.ts';
import { importResources } from '../../server/clinical/ingest/import/import.ts';
import { parseResource } from '../../server/clinical/store/parse-resource.ts';
import { endLabeling } from '../../server/clinical/store/required-labels.sql.ts';
import type { Db } from '../../server/platform/db/db.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { generateId } from '../../server/platform/kernel/ids.ts';
import { nameSpoolFile } from './import-record.ts';
import { getVocabulary } from './vocabulary.ts';
import type { Chart } from './chart.ts';

/** Sends FHIR resources through the import into a chart that has none yet. */
export async function importTexts(db: Db, chart: Chart, texts: readonly string[]): Promise<void> {
  await db.query(
    sql`insert into record_head (patient_id, next_seq, total) values (${chart.patientId}, 1, 0)`,
  );
  await importResources(
    { db, clock: chart.deps.clock, extractText: async () => null, getVocabulary },
    {
      patientId: chart.patientId,
      batchId: generateId<BatchId>(),
      origin: '',
      spoolFile: nameSpoolFile(),
      signal: new AbortController().signal,
    },
    (async function* () {
      for (const text of texts)
        yield {
          path: 'record.json',
          found: { text, resource: parseResource(text), fullUrl: null, position: '' },
        };
    })(),
  );
  await db.query(endLabeling(chart.patientId));
}
