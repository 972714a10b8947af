import type { BatchId, PatientId } from '../../../contract/brands.ts';
import { sql } from '../../platform/db/sql.ts';

export interface BatchRejectionRow {
  batch_id: BatchId;
  path: string;
  code: string;
  message: string;
}

/** The first places of each batch that could not be read, all batches in one query. */
export const selectBatchRejections = (
  patientId: PatientId,
  batchIds: readonly BatchId[],
  limit: number,
) => sql<BatchRejectionRow>`
  select b.batch_id, r.path, r.code, r.message
  from unnest(${batchIds}::uuid[]) with ordinality as b(batch_id, place)
  cross join lateral (
    select path, code, message, ordinal from upload_rejection
    where patient_id = ${patientId} and batch_id = b.batch_id order by ordinal limit ${limit}) r
  order by b.place, r.ordinal`;
