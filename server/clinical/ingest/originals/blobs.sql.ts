import type { PatientId } from '../../../../contract/brands.ts';
import { sql } from '../../../platform/db/sql.ts';

/** Inserts only while the record exists: bytes that arrive while the patient is deleted must not outlive them. */
export const insertChunk = (
  patientId: PatientId,
  chunk: { blobId: string; ordinal: number; bytes: Buffer },
) => sql`
  insert into blob_chunk (patient_id, blob_id, ordinal, bytes)
  select patient_id, ${chunk.blobId}, ${chunk.ordinal}, ${chunk.bytes} from record_head where patient_id = ${patientId} for share
  on conflict (patient_id, blob_id, ordinal) do nothing`;

export const selectChunk = (patientId: PatientId, blobId: string, ordinal: number) => sql<{ bytes: Buffer }>`
  select bytes from blob_chunk where patient_id = ${patientId} and blob_id = ${blobId} and ordinal = ${ordinal}`;

export const countChunks = (patientId: PatientId, blobId: string) => sql<{ chunks: number }>`
  select count(*) as chunks from blob_chunk where patient_id = ${patientId} and blob_id = ${blobId}`;

/** Sums the lengths as they are stored, without reading the bytes. */
export const sumBlobBytes = (patientId: PatientId) => sql<{ bytes: number }>`
  select coalesce(sum(octet_length(bytes)), 0)::bigint as bytes from blob_chunk where patient_id = ${patientId}`;

export const deleteBlob = (patientId: PatientId, blobId: string) => sql`
  delete from blob_chunk where patient_id = ${patientId} and blob_id = ${blobId}`;

/** Deletes some bytes of these blobs. */
export const deleteChunks = (patientId: PatientId, blobIds: readonly string[], limit: number) => sql`
  delete from blob_chunk c using (
    select blob_id, ordinal from blob_chunk
    where patient_id = ${patientId} and blob_id = any(${blobIds}::uuid[]) limit ${limit}) n
  where c.patient_id = ${patientId} and c.blob_id = n.blob_id and c.ordinal = n.ordinal returning 1`;

/**
 * Deletes blobs that nothing names: of uploads whose process was killed before it acknowledged them. `before` is an id of
 * the time before which they began; what a record's unfinished batches may still name is left.
 */
export const deleteOrphans = (before: string) => sql`
  delete from blob_chunk c using (
    select patient_id, blob_id from blob_chunk b
    where ordinal = 0 and blob_id < ${before}::uuid
      and not exists (select from document d where d.patient_id = b.patient_id and d.document_id = b.blob_id)
      and not exists (
        select from upload_batch u where u.patient_id = b.patient_id
          and (u.batch_id = b.blob_id or u.status in ('queued', 'processing')))) orphan
  where c.patient_id = orphan.patient_id and c.blob_id = orphan.blob_id`;
