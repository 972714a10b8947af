import type { BatchId, DocumentId, PatientId } from '../../../../contract/brands.ts';
import { sql } from '../../../platform/db/sql.ts';

export interface DocumentRow {
  document_id: DocumentId;
  batch_id: BatchId;
  path: string;
  size: number;
  sha256: Buffer;
  received_at: Date;
  content_type: string | null;
  encoding: DocumentEncoding;
}

/** How the bytes are stored: as they are, or as raw deflate (RFC 1951). */
export type DocumentEncoding = 'identity' | 'deflate';

const columns = sql`document_id, batch_id, path, size, sha256, received_at, content_type, encoding`;

interface NewDocument {
  documentId: DocumentId;
  batchId: BatchId;
  path: string;
  size: number;
  sha256: Buffer;
  contentType: string;
  encoding: DocumentEncoding;
  now: Date;
}

/**
 * Inserts only while the record exists: a document that is read while the patient is deleted must not outlive them. A
 * document that another batch brought gets a bringer more. Says whether its bytes are there: that batch may have been
 * taken out after they were found.
 */
export const insertDocument = (patientId: PatientId, document: NewDocument) => sql<{ has_bytes: boolean }>`
  with stored as (
    insert into document (patient_id, document_id, batch_id, path, size, sha256, content_type, encoding, received_at)
    select patient_id, ${document.documentId}, ${document.batchId}, ${document.path}, ${document.size}, ${document.sha256},
      ${document.contentType}, ${document.encoding}, ${document.now}
    from record_head where patient_id = ${patientId} for share
    on conflict (patient_id, document_id) do update set content_type = excluded.content_type
    returning document_id, batch_id),
  added as (
    insert into batch_document (patient_id, batch_id, document_id)
    select ${patientId}::uuid, ${document.batchId}::uuid, document_id from stored where batch_id <> ${document.batchId}
    on conflict do nothing)
  select exists (
    select from blob_chunk where patient_id = ${patientId} and blob_id = ${document.documentId} and ordinal = 0) as has_bytes`;

/** Names another batch that brought a document in place of this one. */
export const passDocuments = (patientId: PatientId, batchId: BatchId) => sql`
  update document d set batch_id = other.batch_id
  from (
    select distinct on (document_id) document_id, batch_id from batch_document
    where patient_id = ${patientId} and batch_id <> ${batchId} order by document_id, batch_id) other
  where d.patient_id = ${patientId} and d.batch_id = ${batchId} and d.document_id = other.document_id`;

/** Forgets that a batch brought documents of others, and who brings one twice. */
export const deleteBatchDocuments = (patientId: PatientId, batchId: BatchId) => sql`
  delete from batch_document b using document d
  where b.patient_id = ${patientId} and d.patient_id = ${patientId} and d.document_id = b.document_id
    and (b.batch_id = ${batchId} or b.batch_id = d.batch_id)`;

/** Deletes some documents of a batch. */
export const deleteDocuments = (patientId: PatientId, batchId: BatchId, limit: number) => sql<{
  document_id: DocumentId;
  sha256: Buffer;
}>`
  delete from document where patient_id = ${patientId} and document_id = any(array(
    select document_id from document where patient_id = ${patientId} and batch_id = ${batchId} limit ${limit}))
  returning document_id, sha256`;

/** Finds which of these contents documents of the patient have. */
export const selectContents = (patientId: PatientId, hashes: readonly Buffer[]) => sql<{ sha256: Buffer }>`
  select distinct sha256 from document where patient_id = ${patientId} and sha256 = any(${hashes}::bytea[])`;

/** Selects the path of the first document with this content; `path` where one has that. */
export const selectPathOfContent = (
  patientId: PatientId,
  { sha256, path }: { sha256: Buffer; path: string },
) => sql<{ path: string }>`
  select path from document where patient_id = ${patientId} and sha256 = ${sha256}
  order by path <> ${path}, received_at, document_id limit 1`;

/** Selects documents, newest first, after `before`, the last one of the previous page; no row when that was deleted. */
export const selectDocuments = (
  patientId: PatientId,
  { before, limit }: { before: DocumentId | null; limit: number },
) => sql<DocumentRow>`
  select ${columns} from document
  where patient_id = ${patientId}
    and (${before}::uuid is null or (received_at, document_id) < (
      select received_at, document_id from document where patient_id = ${patientId} and document_id = ${before}::uuid))
  order by received_at desc, document_id desc limit ${limit}`;

export const selectDocument = (patientId: PatientId, documentId: DocumentId) => sql<DocumentRow>`
  select ${columns} from document where patient_id = ${patientId} and document_id = ${documentId}`;

/** Selects the newest document of each path. */
export const selectNewestByPath = (patientId: PatientId, paths: readonly string[]) => sql<DocumentRow>`
  select distinct on (path) ${columns} from document
  where patient_id = ${patientId} and path = any(${paths}::text[])
  order by path, received_at desc, document_id desc`;

/** The documents batch by batch, a page at a time. */
export const selectDocumentsAfter = (
  patientId: PatientId,
  after: { batch_id: BatchId; path: string; document_id: string },
  limit: number,
) => sql<
  Pick<DocumentRow, 'document_id' | 'batch_id' | 'path' | 'received_at' | 'encoding' | 'sha256' | 'size'>
>`
  select document_id, batch_id, path, received_at, encoding, sha256, size from document
  where patient_id = ${patientId}
    and (batch_id, path, document_id) > (${after.batch_id}::uuid, ${after.path}::text, ${after.document_id}::uuid)
  order by batch_id, path, document_id limit ${limit}`;
