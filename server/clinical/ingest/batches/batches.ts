import type { PatientId } from '../../../../contract/brands.ts';
import { one, type Db } from '../../../platform/db/db.ts';
import type { UploadBatch } from '../../../../contract/account/uploads.ts';
import { selectUploadsInFlight, type BatchRow } from './uploads.sql.ts';

/** Maps a batch to the wire, without its rejections. */
export const toBatchDto = (row: BatchRow): Omit<UploadBatch, 'rejected'> => ({
  batchId: row.batch_id,
  sourceId: row.source_id,
  status: row.status,
  paths: row.paths,
  receivedAt: row.received_at.toISOString(),
  completedAt: row.completed_at?.toISOString() ?? null,
  documents: {
    total: row.documents_total,
    processed: row.documents_processed,
    rejected: row.documents_rejected,
  },
  resources: {
    created: row.resources_created,
    updated: row.resources_updated,
    unchanged: row.resources_unchanged,
  },
});

/** Says whether archives of the patient are still being read. */
export const hasUploadsInFlight = async (db: Db, patientId: PatientId): Promise<boolean> =>
  (await one(db, selectUploadsInFlight(patientId))).in_flight;
