import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline as pipelineStreams, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createInflateRaw } from 'node:zlib';
import type { PatientId } from '../../../../contract/brands.ts';
import { maybeOne, one, type Db } from '../../../platform/db/db.ts';
import type { Objects } from '../../../platform/objects/objects.ts';
import { deriveObjectId } from '../../../platform/objects/refer-to-objects.ts';
import { countChunks, insertChunk, selectChunk } from './blobs.sql.ts';
import type { DocumentRow } from './documents.sql.ts';

/** Bytes per row: small enough for the embedded engine's memory, large enough for few round trips. */
const CHUNK_BYTES = 1024 * 1024;

/** Both places in which bytes may be. */
export interface BlobDeps {
  db: Db;
  objects: Objects;
}

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

type StoredDocument = Pick<DocumentRow, 'document_id' | 'encoding' | 'sha256' | 'size'>;

/** Streams a document as it was uploaded, wherever and however it is stored. */
export async function readDocument(
  { db, objects }: BlobDeps,
  patientId: PatientId,
  { document_id: blobId, encoding, sha256, size }: StoredDocument,
): Promise<Readable> {
  const object = await objects.find(patientId, deriveObjectId(patientId, 'original', sha256));
  if (object) return objects.open(object);
  const stored = readBlob(db, { patientId, blobId, isEmpty: size === 0 });
  if (encoding === 'identity') return stored;
  // An error of either is one of what is returned.
  return pipelineStreams(stored, createInflateRaw(), () => {});
}

/** Streams the bytes with one chunk in memory at a time; `isEmpty` where there are none. */
export const readBlob = (db: Db, key: BlobKey & { isEmpty?: boolean }): Readable =>
  Readable.from(readChunks(db, key));

/** Throws where bytes are missing: they were removed, or moved, meanwhile. */
async function* readChunks(
  db: Db,
  { patientId, blobId, isEmpty = false }: BlobKey & { isEmpty?: boolean },
): AsyncGenerator<Buffer> {
  const { chunks } = await one(db, countChunks(patientId, blobId));
  if (chunks === 0 && !isEmpty) throw new Error('the bytes are not there any more');
  for (let ordinal = 0; ordinal < chunks; ordinal++) {
    const row = await maybeOne(db, selectChunk(patientId, blobId, ordinal));
    if (!row) throw new Error('the bytes are not there any more');
    yield row.bytes;
  }
}

/** Copies an archive that waits to be read. */
export async function copyArchiveToFile(
  { db, objects }: BlobDeps,
  key: BlobKey,
  file: string,
): Promise<void> {
  const object = await objects.find(key.patientId, key.blobId);
  await pipeline(object ? await objects.open(object) : readBlob(db, key), createWriteStream(file));
}
