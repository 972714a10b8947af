import { createWriteStream } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import type { BatchId, PatientId } from '../../../../contract/brands.ts';
import { notFound, Refusal } from '../../../platform/kernel/refusal.ts';
import { maybeOne } from '../../../platform/db/db.ts';
import { createTemporaryFolder } from '../archive/temporary-folder.ts';
import { readDocument, type BlobDeps } from '../originals/blobs.ts';
import { selectNewestByPath, type DocumentRow } from '../originals/documents.sql.ts';
import { enqueueBatch, type BatchDeps } from './enqueue-batch.ts';
import * as statements from './uploads.sql.ts';

/** The code of a document that its archive had no time for. */
export const NOT_READ_IN_TIME = 'not_read_in_time';

interface Unread {
  patientId: PatientId;
  batchId: BatchId;
}

/**
 * Reads the documents of a batch again that were not read in time: their originals are kept, and become a batch of their own,
 * which is read like any upload. What a document becomes in the record depends on its bytes and its path alone.
 */
export async function readAgain(deps: BatchDeps, { patientId, batchId }: Unread): Promise<BatchId> {
  // An archive like any other, also where its first one was fetched.
  await deps.quotas?.requireAllowed(deps.db, { patientId, bytes: 0, now: deps.clock.now() });
  const batch = await maybeOne(deps.db, statements.selectBatch(patientId, batchId));
  if (!batch || batch.is_leaving) throw notFound('The upload');
  const unread = await deps.db.query(statements.selectRejectedPaths(patientId, batchId, NOT_READ_IN_TIME));
  const paths = unread.map((row) => row.path);
  const documents = await deps.db.query(selectNewestByPath(patientId, paths));
  if (documents.length === 0)
    throw new Refusal(409, 'nothing_unread', { detail: 'Every document of this upload was read in time.' });
  const folder = await createTemporaryFolder('again');
  try {
    const file = path.join(folder, 'archive.zip');
    await writeArchive(deps, { patientId, documents, folder }, file);
    const source = batch.source_id === null ? null : { sourceId: batch.source_id, origin: batch.origin };
    const first = documents.slice(0, 5).map((document) => document.path);
    // What the patient has confirmed is not asked about again.
    const confirm = batch.confirmed_at === null ? {} : { confirm: async () => {} };
    return await enqueueBatch(deps, { patientId, file, source, paths: first, ...confirm });
  } finally {
    await fs.rm(folder, { recursive: true, force: true });
  }
}

async function writeArchive(
  deps: BlobDeps,
  {
    patientId,
    documents,
    folder,
  }: { patientId: PatientId; documents: readonly DocumentRow[]; folder: string },
  file: string,
): Promise<void> {
  const zip = new ZipFile();
  for (const [index, document] of documents.entries()) {
    const original = path.join(folder, `original-${index}`);
    await pipeline(await readDocument(deps, patientId, document), createWriteStream(original));
    zip.addFile(original, document.path);
  }
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(file));
}
