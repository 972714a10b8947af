import type { UploadBatch } from '../../../../contract/account/uploads.ts';
import type { BatchRow } from './uploads.sql.ts';

/** A batch as it is told, but for what could not be read. */
export const toBatchDto = (row: BatchRow): Omit<UploadBatch, 'rejected'> => ({
  batchId: row.batch_id,
  sourceId: row.source_id,
  status: row.status,
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
