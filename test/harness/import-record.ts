import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BatchId } from '../../contract/brands.ts';
import { generateId } from '../../server/platform/kernel/ids.ts';
import { importResources } from '../../server/clinical/ingest/import/import.ts';
import type { ResourceAt } from '../../server/clinical/ingest/import/read-facts.ts';
import type { ExtractText } from '../../server/clinical/ingest/import/attachment-texts.ts';
import { endLabeling } from '../../server/clinical/store/required-labels.sql.ts';
import { parseResource } from '../../server/clinical/store/parse-resource.ts';
import { sql, type Sql } from '../../server/platform/db/sql.ts';
import type { Db } from '../../server/platform/db/db.ts';
import { getVocabulary } from './vocabulary.ts';
import { createChart, type Chart } from './chart.ts';

interface ImportOptions {
  /** The file in the archive that a resource stands in. */
  getPath?: (id: string) => string;
  extractText?: ExtractText;
  /** Base address of the server that the resources are from. */
  origin?: string;
}

/** Of all records, so that documents of one path have one name in those that are compared. */
const DOCUMENT_KEY = '00000000-0000-4000-8000-000000000000';

/** Creates a patient without resources. */
export async function createEmptyRecord(db: Db): Promise<Chart> {
  const patient = await createChart(db);
  await db.query(
    sql`insert into record_head (patient_id, next_seq, total, document_key) values (${patient.patientId}, 1, 0, ${DOCUMENT_KEY})`,
  );
  return patient;
}

/** Creates a patient whose record is of these uploads, one after another. */
export async function importUploads(db: Db, ...uploads: (readonly unknown[])[]): Promise<Chart> {
  const record = await createEmptyRecord(db);
  for (const upload of uploads)
    await importBatch(
      db,
      record,
      upload.map((each) => JSON.stringify(each)),
    );
  return record;
}

/** Imports resources, as JSON, as one upload. */
export async function importBatch(
  db: Db,
  { patientId, deps: { clock } }: Chart,
  texts: readonly string[],
  options: ImportOptions = {},
): Promise<BatchId> {
  const { getPath = () => 'record.json', extractText = async () => null, origin = '' } = options;
  const batchId = generateId<BatchId>();
  await importResources(
    { db, clock, extractText, getVocabulary },
    { patientId, batchId, origin, spoolFile: nameSpoolFile(), signal: new AbortController().signal },
    (async function* () {
      for (const text of texts) yield locate(text, getPath);
    })(),
  );
  await db.query(endLabeling(patientId));
  return batchId;
}

export const nameSpoolFile = (): string => path.join(tmpdir(), `chartgate-test-spool-${randomUUID()}`);

function locate(text: string, getPath: (id: string) => string): ResourceAt {
  const resource = parseResource(text);
  return { path: getPath(String(resource.id)), found: { text, resource, fullUrl: null, position: '' } };
}

/** The labels of every resource of a record, by `Type/id`. */
export const selectLabels = ({
  patientId,
}: Chart): Sql<{ reference: string; required_labels: number }> => sql`
  select resource_type || '/' || source_id as reference, required_labels
  from resource join resource_label using (patient_id, seq) where patient_id = ${patientId}`;
