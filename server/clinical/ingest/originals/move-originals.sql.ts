import type { BatchId, DocumentId, PatientId } from '../../../../contract/brands.ts';
import { sql } from '../../../platform/db/sql.ts';
import type { DocumentEncoding } from './documents.sql.ts';

export interface ContentRow {
  patient_id: PatientId;
  document_id: DocumentId;
  sha256: Buffer;
  encoding: DocumentEncoding;
  has_bytes: boolean;
}

/** Documents of every patient, a page at a time, with whether their bytes are in the database. */
export const selectContentsAfter = (
  after: { patient_id: PatientId; document_id: DocumentId },
  limit: number,
) => sql<ContentRow>`
  select d.patient_id, d.document_id, d.sha256, d.encoding, exists (
    select from blob_chunk c where c.patient_id = d.patient_id and c.blob_id = d.document_id and c.ordinal = 0) as has_bytes
  from document d where (d.patient_id, d.document_id) > (${after.patient_id}::uuid, ${after.document_id}::uuid)
  order by d.patient_id, d.document_id limit ${limit}`;

/** Locks a record against uploads that are taken out, and those that bring documents. */
export const lockRecordHead = (patientId: PatientId) => sql`
  select from record_head where patient_id = ${patientId} for update`;

/** The documents of a patient that have the same bytes. */
export const selectDocumentsOfContent = (patientId: PatientId, sha256: Buffer) => sql<{
  document_id: DocumentId;
}>`
  select document_id from document where patient_id = ${patientId} and sha256 = ${sha256} order by document_id`;

export const updateEncoding = (patientId: PatientId, sha256: Buffer, encoding: DocumentEncoding) => sql`
  update document set encoding = ${encoding} where patient_id = ${patientId} and sha256 = ${sha256}`;

export interface ArchiveRow {
  patient_id: PatientId;
  batch_id: BatchId;
  has_bytes: boolean;
}

/** Archives of every patient that are not read yet, a page at a time, with whether their bytes are in the database. */
export const selectArchivesAfter = (
  after: { patient_id: PatientId; batch_id: BatchId },
  limit: number,
) => sql<ArchiveRow>`
  select u.patient_id, u.batch_id, exists (
    select from blob_chunk c where c.patient_id = u.patient_id and c.blob_id = u.batch_id and c.ordinal = 0) as has_bytes
  from upload_batch u
  where (u.patient_id, u.batch_id) > (${after.patient_id}::uuid, ${after.batch_id}::uuid) and u.completed_at is null
  order by u.patient_id, u.batch_id limit ${limit}`;

/** Says whether an archive is not read yet. */
export const selectOpenArchive = (patientId: PatientId, batchId: BatchId) => sql`
  select from upload_batch where patient_id = ${patientId} and batch_id = ${batchId} and completed_at is null`;
