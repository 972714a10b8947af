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

/** Inserts only while the record exists: a document that is read while the patient is deleted must not outlive them. */
export const insertDocument = (patientId: PatientId, document: NewDocument) => sql`
  insert into document (patient_id, document_id, batch_id, path, size, sha256, content_type, encoding, received_at)
  select patient_id, ${document.documentId}, ${document.batchId}, ${document.path}, ${document.size}, ${document.sha256},
    ${document.contentType}, ${document.encoding}, ${document.now}
  from record_head where patient_id = ${patientId} for share
  on conflict (patient_id, document_id) do update set content_type = excluded.content_type`;

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
) => sql<Pick<DocumentRow, 'document_id' | 'batch_id' | 'path' | 'received_at' | 'encoding'>>`
  select document_id, batch_id, path, received_at, encoding from document
  where patient_id = ${patientId}
    and (batch_id, path, document_id) > (${after.batch_id}::uuid, ${after.path}::text, ${after.document_id}::uuid)
  order by batch_id, path, document_id limit ${limit}`;
