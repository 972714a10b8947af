import type { PatientId } from '../../../contract/brands.ts';
import type { UploadBatch } from '../../../contract/account/uploads.ts';
import type { Db } from '../../platform/db/db.ts';
import { toBatchDtos } from '../../clinical/ingest/batches/batches.ts';
import { splitNotices } from '../../clinical/ingest/batches/import-notes.ts';
import { selectBatches, selectFirstRejections } from '../../clinical/ingest/batches/uploads.sql.ts';

/** Limits of the page; the API returns a batch in full. */
const OF_PAGE = { batches: 100, rejections: 100 };

/** Returns the newest uploads of a person, each with its first rejections. */
export async function listMyUploads(db: Db, patientId: PatientId, limits = OF_PAGE): Promise<UploadBatch[]> {
  const rows = await db.query(selectBatches(patientId, limits.batches));
  const ids = rows.map(({ batch_id }) => batch_id);
  const found = Map.groupBy(
    await db.query(selectFirstRejections(patientId, ids, limits.rejections)),
    ({ batch_id }) => batch_id,
  );
  const batches = await toBatchDtos(db, patientId, rows);
  return batches.map((batch) => ({
    ...batch,
    ...splitNotices(
      (found.get(batch.batchId) ?? []).map(({ path, code, message }) => ({ path, code, message })),
    ),
  }));
}
