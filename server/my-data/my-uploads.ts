import type { PatientId } from '../../contract/ids.ts';
import type { UploadBatch } from '../../contract/uploads.ts';
import type { Db } from '../storage/db.ts';
import { toldBatch } from '../uploads/told-batch.ts';
import { batches } from '../uploads/uploads.sql.ts';
import { rejectionsOf } from './uploads.sql.ts';

/** What a page shows; the API tells all of a batch. */
const BATCHES = 100;
const REJECTIONS = 100;

/** The newest uploads of a person, each with the first places that could not be read. */
export async function myUploads(db: Db, patientId: PatientId): Promise<UploadBatch[]> {
  const rows = await db.query(batches(patientId, BATCHES));
  const ids = rows.map(({ batch_id }) => batch_id);
  const found = Map.groupBy(
    await db.query(rejectionsOf(patientId, ids, REJECTIONS)),
    ({ batch_id }) => batch_id,
  );
  return rows.map((row) => ({
    ...toldBatch(row),
    rejected: (found.get(row.batch_id) ?? []).map(({ path, code, message }) => ({ path, code, message })),
  }));
}
