import fs from 'node:fs/promises';
import path from 'node:path';
import { RunLater } from '../jobs/kinds.ts';
import { Refusal } from '../kernel/refusal.ts';
import { importResources, type ImportDeps } from '../records/import.ts';
import { maybeOne } from '../storage/db.ts';
import { emptyReading, type Reading } from './archive-reading.ts';
import { verifyArchive } from './archive.ts';
import { fetchFile } from './blobs.ts';
import { endBatch, type EndDeps } from './end-batch.ts';
import type { DocumentProcesses } from './documents/document-processes.ts';
import { remembered } from './documents/remembered.ts';
import { documentIdOf, keepDocument } from './keep-document.ts';
import { resourcesOf } from './read-archive.ts';
import { documentReader } from './readers/document.ts';
import type { Member, Rejection } from './reading.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { ArchiveRefused } from './unreadable.ts';
import type { UploadJob } from './upload-job.ts';
import * as statements from './uploads.sql.ts';

interface Deps extends ImportDeps, EndDeps {
  /** Where documents are read that are no FHIR JSON. */
  documents: Pick<DocumentProcesses, 'convert'>;
}

const BUSY_MS = 1_000;

/** Reads an uploaded archive into the record. Killed in the middle, it begins anew and ends the same. */
export async function processUpload(deps: Deps, upload: UploadJob, signal: AbortSignal): Promise<void> {
  const batch = await begin(deps, upload);
  if (!batch) return;
  const folder = await temporaryFolder('upload');
  try {
    const file = path.join(folder, 'archive.zip');
    await fetchFile(deps.db, { patientId: upload.patientId, blobId: upload.batchId }, file);
    await process(deps, upload, { file, origin: batch.origin, signal });
  } catch (error) {
    if (!(error instanceof Refusal && error.code === 'patient_gone')) throw error;
  } finally {
    await fs.rm(folder, { recursive: true, force: true });
  }
}

/** Null when there is nothing to do: the batch is gone or done. Waits while another batch of the record is read. */
function begin({ db, clock }: Deps, { patientId, batchId }: UploadJob): Promise<statements.BatchRow | null> {
  return db.tx(async (tx) => {
    await tx.query(statements.lockForBatch(patientId));
    const batch = await maybeOne(tx, statements.batch(patientId, batchId));
    if (!batch || batch.completed_at !== null) return null;
    if ((await tx.query(statements.otherBatchAtWork(patientId, batchId, clock.now()))).length > 0)
      throw new RunLater(BUSY_MS);
    await tx.query(statements.startBatch(patientId, batchId));
    return batch;
  });
}

async function process(
  deps: Deps,
  upload: UploadJob,
  work: { file: string; origin: string; signal: AbortSignal },
): Promise<void> {
  const { file } = work;
  try {
    await verifyArchive(file, work.signal);
  } catch (error) {
    if (!(error instanceof ArchiveRefused)) throw error;
    const reading = emptyReading([{ path: '', code: error.code, message: error.message }]);
    return endBatch(deps, upload, { status: 'failed', reading, result: null });
  }
  const first = emptyReading();
  const watcher = {
    progress: reporter(deps, upload),
    keep: (member: Member, original: { contentType: string }) =>
      keepDocument(deps, { ...upload, ...original }, member),
  };
  const documents = documentReader({
    convert: remembered(path.dirname(file), (document) => deps.documents.convert(document)),
    documentId: (document) => documentIdOf(upload.patientId, document),
  });
  let readings = 0;
  const result = await importResources(deps, { ...upload, ...work }, () =>
    readings++ === 0
      ? resourcesOf(file, first, { ...watcher, documents })
      : resourcesOf(file, emptyReading(), { documents }),
  );
  first.rejections.push(...result.overridden.map(overridden));
  const status = first.rejections.length === 0 ? 'completed' : 'completed_with_errors';
  await endBatch(deps, upload, { status, reading: first, result });
}

const overridden = ({ path, position }: { path: string; position: string }): Rejection => ({
  path: position === '' ? path : `${path}#${position}`,
  code: 'duplicate_id',
  message: 'Another resource of the same type and id in this archive has other content; that one was kept.',
});

const REPORT_MS = 1_000;

/** Lets whoever polls the batch see it move, at most once a second. */
function reporter({ db }: Deps, { patientId, batchId }: UploadJob): (reading: Reading) => Promise<void> {
  let reported = 0;
  return async ({ documents }) => {
    if (Date.now() - reported < REPORT_MS) return;
    reported = Date.now();
    await db.query(statements.putDocumentCounts(patientId, batchId, documents));
  };
}
