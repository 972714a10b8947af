import type { PatientId } from '../../contract/ids.ts';
import { sql } from '../storage/sql.ts';

export const insertChunk = (
  patientId: PatientId,
  chunk: { blobId: string; ordinal: number; bytes: Buffer },
) => sql`
  insert into blob_chunk (patient_id, blob_id, ordinal, bytes)
  values (${patientId}, ${chunk.blobId}, ${chunk.ordinal}, ${chunk.bytes})
  on conflict (patient_id, blob_id, ordinal) do nothing`;

export const chunkAt = (patientId: PatientId, blobId: string, ordinal: number) => sql<{ bytes: Buffer }>`
  select bytes from blob_chunk where patient_id = ${patientId} and blob_id = ${blobId} and ordinal = ${ordinal}`;

export const deleteBlob = (patientId: PatientId, blobId: string) => sql`
  delete from blob_chunk where patient_id = ${patientId} and blob_id = ${blobId}`;
