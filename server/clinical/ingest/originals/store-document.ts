import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { BatchId, PatientId } from '../../../../contract/brands.ts';
import { DocumentId } from '../../../../contract/brands.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { deriveUuid } from '../../../../documents/fhir/derive-uuid.ts';
import type { Db } from '../../../platform/db/db.ts';
import { writeBlob } from './blobs.ts';
import { insertDocument } from './documents.sql.ts';

interface NewOriginal {
  patientId: PatientId;
  batchId: BatchId;
  /** The member's path in the archive. */
  path: string;
  /** By its bytes. */
  contentType: string;
  /** Holds its bytes. */
  file: string;
}

/** Stores a document as it was uploaded; the same bytes under the same path are stored once. */
export async function storeDocument(
  { db, clock }: { db: Db; clock: Clock },
  { patientId, batchId, path, contentType, file }: NewOriginal,
): Promise<void> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const bytes of createReadStream(file) as AsyncIterable<Buffer>) {
    hash.update(bytes);
    size += bytes.length;
  }
  const sha256 = hash.digest();
  const documentId = deriveDocumentId(patientId, { sha256, path });
  await writeBlob(db, { patientId, blobId: documentId }, file);
  const newDocument = { documentId, batchId, path, size, sha256, contentType, now: clock.now() };
  await db.query(insertDocument(patientId, newDocument));
}

/** Returns the id under which a document is stored, and from which the ids of its resources are derived. */
export const deriveDocumentId = (
  patientId: PatientId,
  { sha256, path }: { sha256: Buffer; path: string },
): DocumentId => DocumentId.parse(deriveUuid(`${patientId}|${sha256.toString('hex')}|${path}`));
