import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { copyFile, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createDeflateRaw } from 'node:zlib';
import type { BatchId, PatientId } from '../../../../contract/brands.ts';
import { DocumentId } from '../../../../contract/brands.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { deriveUuid } from '../../../../documents/fhir/derive-uuid.ts';
import { maybeOne, one } from '../../../platform/db/db.ts';
import { deriveObjectId, keepObject } from '../../../platform/objects/refer-to-objects.ts';
import { countChunks } from './blobs.sql.ts';
import { writeBlob, type BlobDeps } from './blobs.ts';
import { insertDocument, type DocumentEncoding } from './documents.sql.ts';

interface NewOriginal {
  patientId: PatientId;
  /** The member's path in the archive. */
  path: string;
  /** By its bytes. */
  contentType: string;
  /** Holds its bytes. */
  file: string;
  /** Finds the path under which these bytes are stored already, where they are known to come again. */
  findPath?(sha256: Buffer): Promise<string>;
}

/** A document as it will be stored. */
export interface PreparedDocument {
  documentId: DocumentId;
  path: string;
  contentType: string;
  size: number;
  sha256: Buffer;
  encoding: DocumentEncoding;
  /** Holds what is stored. */
  file: string;
}

/** Prepares a document in a file of its own, `into`, compressed where that makes it smaller, as it mostly came in its archive. */
export async function prepareDocument(
  { spend }: { /** Counts what is to be stored; throws when that is too much. */ spend(bytes: number): void },
  { patientId, path: newPath, contentType, file, findPath }: NewOriginal,
  into: string,
): Promise<PreparedDocument> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const bytes of createReadStream(file) as AsyncIterable<Buffer>) {
    hash.update(bytes);
    size += bytes.length;
  }
  const sha256 = hash.digest();
  const path = (await findPath?.(sha256)) ?? newPath;
  const documentId = deriveDocumentId(patientId, { sha256, path });
  const encoding = await compressFile(file, size, into);
  spend((await stat(into)).size);
  return { documentId, path, contentType, size, sha256, encoding, file: into };
}

interface StoreDeps extends BlobDeps {
  clock: Clock;
}

/**
 * Stores a document as it was uploaded; the same bytes under the same path are stored once. In the object store the same bytes
 * are stored once under whatever path, unless they are in the database from before.
 */
export async function storeDocument(
  deps: StoreDeps,
  { patientId, batchId }: { patientId: PatientId; batchId: BatchId },
  { file, ...document }: PreparedDocument,
): Promise<void> {
  const { db, clock, objects } = deps;
  const blob = { patientId, blobId: document.documentId };
  const newDocument = { ...document, batchId, now: clock.now() };
  if (objects.takesNew && (await one(db, countChunks(patientId, blob.blobId))).chunks === 0)
    return placeDocument(deps, { patientId, file }, newDocument);
  await writeBlob(db, blob, file);
  const kept = await maybeOne(db, insertDocument(patientId, newDocument));
  if (kept?.has_bytes === false) await writeBlob(db, blob, file);
}

async function placeDocument(
  { db, objects }: StoreDeps,
  { patientId, file }: { patientId: PatientId; file: string },
  document: Parameters<typeof insertDocument>[1],
): Promise<void> {
  const object = {
    patientId,
    objectId: deriveObjectId(patientId, 'original', document.sha256),
    use: 'original',
    encoding: document.encoding,
    content: { file, size: (await stat(file)).size },
  } as const;
  await objects.placeFor(object, (placed) =>
    db.tx(async (tx) => {
      // Without a row the patient is gone, and what was placed is deleted in a day.
      const inserted = await maybeOne(tx, insertDocument(patientId, document));
      if (inserted) await keepObject(tx, placed, document.now);
    }),
  );
}

/** Writes the smaller one of a file and its compressed form. */
async function compressFile(file: string, size: number, into: string): Promise<DocumentEncoding> {
  await pipeline(createReadStream(file), createDeflateRaw(), createWriteStream(into));
  if ((await stat(into)).size < size) return 'deflate';
  await copyFile(file, into);
  return 'identity';
}

/** Returns the id under which a document is stored, and from which the ids of its resources are derived. */
export const deriveDocumentId = (
  patientId: PatientId,
  { sha256, path }: { sha256: Buffer; path: string },
): DocumentId => DocumentId.parse(deriveUuid(`${patientId}|${sha256.toString('hex')}|${path}`));
