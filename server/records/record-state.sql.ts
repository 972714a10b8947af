import { recordQuery, type RecordAccess } from '../consent/record-access.ts';
import { sql } from '../storage/sql.ts';

export interface RecordHead {
  /** Resources held. */
  total: number;
  /** ISO 8601, or null when nothing ever came. */
  lastSynchronizedAt: string | null;
}

export const recordHead = (access: RecordAccess) =>
  recordQuery(
    access,
    sql<RecordHead>`
      select total, last_synchronized_at as "lastSynchronizedAt" from record_head where patient_id = ${access.patientId}`,
  );

export interface BatchState {
  batchId: string;
  status: 'queued' | 'processing' | 'completed' | 'completed_with_errors' | 'failed';
  receivedAt: string;
  documents: number;
  rejected: number;
  created: number;
  updated: number;
  unchanged: number;
}

export const newestBatches = (access: RecordAccess) =>
  recordQuery(
    access,
    sql<BatchState>`
      select batch_id as "batchId", status, received_at as "receivedAt", documents_total as documents,
        documents_rejected as rejected, resources_created as created, resources_updated as updated,
        resources_unchanged as unchanged
      from upload_batch where patient_id = ${access.patientId} order by received_at desc, batch_id desc limit 5`,
  );
