import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createDeflateRaw } from 'node:zlib';
import type { BatchId, PatientId } from '../../../../contract/brands.ts';
import { DocumentId } from '../../../../contract/brands.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { deriveUuid } from '../../../../documents/fhir/derive-uuid.ts';
import { maybeOne, type Db } from '../../../platform/db/db.ts';
import { writeBlob } from './blobs.ts';
import { insertDocument, type DocumentEncoding } from './documents.sql.ts';

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

interface Deps {
  db: Db;
  clock: Clock;
  /** Counts what is about to be stored; throws when that is too much. */
  spend(bytes: number): void;
}

/**
 * Stores a document as it was uploaded, compressed where that makes it smaller, as it mostly came in its archive; the same
 * bytes under the same path are stored once.
 */
export async function storeDocument(
  { db, clock, spend }: Deps,
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
  const stored = await compressFile(file, size);
  spend(stored.size);
  await writeBlob(db, { patientId, blobId: documentId }, stored.file);
  const { encoding } = stored;
  const newDocument = { documentId, batchId, path, size, sha256, contentType, encoding, now: clock.now() };
  const kept = await maybeOne(db, insertDocument(patientId, newDocument));
  if (kept?.has_bytes === false) await writeBlob(db, { patientId, blobId: documentId }, stored.file);
}

/** Compresses a file beside it; returns the smaller one of the two. */
async function compressFile(
  file: string,
  size: number,
): Promise<{ file: string; size: number; encoding: DocumentEncoding }> {
  const compressed = `${file}.deflate`;
  await pipeline(createReadStream(file), createDeflateRaw(), createWriteStream(compressed));
  const { size: compressedSize } = await stat(compressed);
  return compressedSize < size
    ? { file: compressed, size: compressedSize, encoding: 'deflate' }
    : { file, size, encoding: 'identity' };
}

/** Returns the id under which a document is stored, and from which the ids of its resources are derived. */
export const deriveDocumentId = (
  patientId: PatientId,
  { sha256, path }: { sha256: Buffer; path: string },
): DocumentId => DocumentId.parse(deriveUuid(`${patientId}|${sha256.toString('hex')}|${path}`));
