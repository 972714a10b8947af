import { createHash } from 'node:crypto';
import type { BatchId, PatientId } from '../../../../contract/brands.ts';
import { DocumentId } from '../../../../contract/brands.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { deriveUuid } from '../../../../documents/fhir/derive-uuid.ts';
import type { Db } from '../../../platform/db/db.ts';
import { writeBlob } from './blobs.ts';
import { insertDocument } from './documents.sql.ts';
import type { Member } from '../archive/reader.ts';
import { spool } from '../archive/spool.ts';

interface StoreDocumentOptions {
  patientId: PatientId;
  batchId: BatchId;
  /** By its bytes. */
  contentType: string;
}

/** Keeps a member as it came; the same bytes under the same path are kept once. */
export async function storeDocument(
  { db, clock }: { db: Db; clock: Clock },
  { patientId, batchId, contentType }: StoreDocumentOptions,
  member: Member,
): Promise<void> {
  await using spooled = await spool(member);
  const hash = createHash('sha256');
  let size = 0;
  for await (const bytes of (await member.open()) as AsyncIterable<Buffer>) {
    hash.update(bytes);
    size += bytes.length;
  }
  const sha256 = hash.digest();
  const { path } = member;
  const documentId = deriveDocumentId(patientId, { sha256, path });
  await writeBlob(db, { patientId, blobId: documentId }, spooled.file);
  const newDocument = { documentId, batchId, path, size, sha256, contentType, now: clock.now() };
  await db.query(insertDocument(patientId, newDocument));
}

/** Under which a document is kept, and from which the ids of what it is read into are made. */
export const deriveDocumentId = (
  patientId: PatientId,
  { sha256, path }: { sha256: Buffer; path: string },
): DocumentId => DocumentId.parse(deriveUuid(`${patientId}|${sha256.toString('hex')}|${path}`));
