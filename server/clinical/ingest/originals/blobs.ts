import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createInflateRaw } from 'node:zlib';
import { createWriteStream } from 'node:fs';
import { pipeline as pipelineStreams, Readable } from 'node:stream';
import type { DocumentRow } from './documents.sql.ts';
import type { PatientId } from '../../../../contract/brands.ts';
import { maybeOne, type Db } from '../../../platform/db/db.ts';
import { selectChunk, insertChunk } from './blobs.sql.ts';

/** Bytes per row: small enough for the embedded engine's memory, large enough for few round trips. */
const CHUNK_BYTES = 1024 * 1024;

export interface BlobKey {
  patientId: PatientId;
  blobId: string;
}

/** Writes a file to the store, chunk by chunk. Repeating it with the same content changes nothing. */
export async function writeBlob(db: Db, { patientId, blobId }: BlobKey, file: string): Promise<void> {
  let ordinal = 0;
  for await (const bytes of createReadStream(file, { highWaterMark: CHUNK_BYTES })) {
    db.capacity.require('uploads');
    await db.query(insertChunk(patientId, { blobId, ordinal: ordinal++, bytes: bytes as Buffer }));
  }
}

/** Streams a document as it was uploaded, however it is stored. */
export function readDocument(
  db: Db,
  patientId: PatientId,
  { document_id: blobId, encoding }: Pick<DocumentRow, 'document_id' | 'encoding'>,
): Readable {
  const stored = readBlob(db, { patientId, blobId });
  if (encoding === 'identity') return stored;
  // An error of either is one of what is returned.
  return pipelineStreams(stored, createInflateRaw(), () => {});
}

/** Streams the bytes with one chunk in memory at a time. */
const readBlob = (db: Db, { patientId, blobId }: BlobKey): Readable =>
  Readable.from(readChunks(db, { patientId, blobId }));

async function* readChunks(db: Db, { patientId, blobId }: BlobKey): AsyncGenerator<Buffer> {
  for (let ordinal = 0; ; ordinal++) {
    const row = await maybeOne(db, selectChunk(patientId, blobId, ordinal));
    if (!row) return;
    yield row.bytes;
  }
}

export const copyBlobToFile = (db: Db, key: BlobKey, file: string): Promise<void> =>
  pipeline(readBlob(db, key), createWriteStream(file));
