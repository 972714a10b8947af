import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import type { PatientId } from '../../contract/ids.ts';
import { maybeOne, type Db } from '../storage/db.ts';
import { chunkAt, insertChunk } from './blobs.sql.ts';

/** Bytes a row: small enough for the embedded engine's memory, large enough for few round trips. */
const CHUNK_BYTES = 1024 * 1024;

export interface BlobAddress {
  patientId: PatientId;
  blobId: string;
}

/** Puts a file into the store, chunk by chunk. Repeating it with the same content changes nothing. */
export async function putFile(db: Db, { patientId, blobId }: BlobAddress, file: string): Promise<void> {
  let ordinal = 0;
  for await (const bytes of createReadStream(file, { highWaterMark: CHUNK_BYTES })) {
    await db.query(insertChunk(patientId, { blobId, ordinal: ordinal++, bytes: bytes as Buffer }));
  }
}

/** The bytes again, one chunk in memory at a time. */
export const readBlob = (db: Db, { patientId, blobId }: BlobAddress): Readable =>
  Readable.from(chunks(db, { patientId, blobId }));

async function* chunks(db: Db, { patientId, blobId }: BlobAddress): AsyncGenerator<Buffer> {
  for (let ordinal = 0; ; ordinal++) {
    const row = await maybeOne(db, chunkAt(patientId, blobId, ordinal));
    if (!row) return;
    yield row.bytes;
  }
}

export const fetchFile = (db: Db, address: BlobAddress, file: string): Promise<void> =>
  pipeline(readBlob(db, address), createWriteStream(file));
