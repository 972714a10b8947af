import type { PatientId } from '../../../contract/brands.ts';
import type { UploadBatch } from '../../../contract/account/uploads.ts';
import type { Db } from '../../platform/db/db.ts';
import { toBatchDto } from '../../clinical/ingest/batches/batches.ts';
import { selectBatches } from '../../clinical/ingest/batches/uploads.sql.ts';
import { selectBatchRejections } from './my-uploads.sql.ts';

/** What a page shows; the API tells all of a batch. */
const MAX_BATCHES = 100;
const MAX_REJECTIONS = 100;

/** The newest uploads of a person, each with the first places that could not be read. */
export async function listMyUploads(db: Db, patientId: PatientId): Promise<UploadBatch[]> {
  const rows = await db.query(selectBatches(patientId, MAX_BATCHES));
  const ids = rows.map(({ batch_id }) => batch_id);
  const found = Map.groupBy(
    await db.query(selectBatchRejections(patientId, ids, MAX_REJECTIONS)),
    ({ batch_id }) => batch_id,
  );
  return rows.map((row) => ({
    ...toBatchDto(row),
    rejected: (found.get(row.batch_id) ?? []).map(({ path, code, message }) => ({ path, code, message })),
  }));
}
