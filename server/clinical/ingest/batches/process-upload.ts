import fs from 'node:fs/promises';
import path from 'node:path';
import { Reschedule } from '../../../platform/jobs/job-kind.ts';
import { Refusal } from '../../../platform/kernel/refusal.ts';
import { importResources, type ImportDeps } from '../import/import.ts';
import { maybeOne } from '../../../platform/db/db.ts';
import { createArchiveReport, type ArchiveReport } from '../archive/archive-report.ts';
import { verifyArchive } from '../archive/archive.ts';
import { copyBlobToFile } from '../originals/blobs.ts';
import { completeBatch, type CompleteBatchDeps } from './complete-batch.ts';
import type { DocumentProcessPool } from '../../../../documents/sandbox/document-process-pool.ts';
import { cacheConversions } from '../readers/cache-conversions.ts';
import { deriveDocumentId, storeDocument } from '../originals/store-document.ts';
import { readResources } from './read-archive.ts';
import { createDocumentReader } from '../readers/document.ts';
import type { Member, Rejection } from '../archive/reader.ts';
import { createTemporaryFolder } from '../archive/temporary-folder.ts';
import { ArchiveError } from '../archive/archive-errors.ts';
import type { UploadJob } from './upload-job.ts';
import * as statements from './uploads.sql.ts';

interface Deps extends ImportDeps, CompleteBatchDeps {
  /** Where documents are read that are no FHIR JSON. */
  documents: Pick<DocumentProcessPool, 'convert'>;
}

const BUSY_RETRY_MS = 1_000;

/** Reads an uploaded archive into the record. Killed in the middle, it begins anew and ends the same. */
export async function processUpload(deps: Deps, upload: UploadJob, signal: AbortSignal): Promise<void> {
  const batch = await startBatch(deps, upload);
  if (!batch) return;
  const folder = await createTemporaryFolder('upload');
  try {
    const file = path.join(folder, 'archive.zip');
    await copyBlobToFile(deps.db, { patientId: upload.patientId, blobId: upload.batchId }, file);
    await importArchive(deps, upload, { file, origin: batch.origin, signal });
  } catch (error) {
    if (!(error instanceof Refusal && error.code === 'patient_gone')) throw error;
  } finally {
    await fs.rm(folder, { recursive: true, force: true });
  }
}

/** Null when there is nothing to do: the batch is gone or done. Waits while another batch of the record is read. */
function startBatch(
  { db, clock }: Deps,
  { patientId, batchId }: UploadJob,
): Promise<statements.BatchRow | null> {
  return db.tx(async (tx) => {
    await tx.query(statements.lockForBatch(patientId));
    const batch = await maybeOne(tx, statements.selectBatch(patientId, batchId));
    if (!batch || batch.completed_at !== null) return null;
    if ((await tx.query(statements.selectRunningBatch(patientId, batchId, clock.now()))).length > 0)
      throw new Reschedule(BUSY_RETRY_MS);
    await tx.query(statements.startBatch(patientId, batchId));
    return batch;
  });
}

async function importArchive(
  deps: Deps,
  upload: UploadJob,
  work: { file: string; origin: string; signal: AbortSignal },
): Promise<void> {
  const { file } = work;
  try {
    await verifyArchive(file, work.signal);
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    const report = createArchiveReport([{ path: '', code: error.code, message: error.message }]);
    return completeBatch(deps, upload, { status: 'failed', report, result: null });
  }
  const archiveReport = createArchiveReport();
  const callbacks = {
    onProgress: createProgressReporter(deps, upload),
    onDocument: (member: Member, original: { contentType: string }) =>
      storeDocument(deps, { ...upload, ...original }, member),
  };
  const documents = createDocumentReader({
    convert: cacheConversions(path.dirname(file), (document) => deps.documents.convert(document)),
    deriveDocumentId: (document) => deriveDocumentId(upload.patientId, document),
  });
  let passes = 0;
  const result = await importResources(deps, { ...upload, ...work }, () =>
    passes++ === 0
      ? readResources(file, archiveReport, { ...callbacks, documents })
      : readResources(file, createArchiveReport(), { documents }),
  );
  archiveReport.rejections.push(...result.overridden.map(createDuplicateRejection));
  const status = archiveReport.rejections.length === 0 ? 'completed' : 'completed_with_errors';
  await completeBatch(deps, upload, { status, report: archiveReport, result });
}

const createDuplicateRejection = ({ path, position }: { path: string; position: string }): Rejection => ({
  path: position === '' ? path : `${path}#${position}`,
  code: 'duplicate_id',
  message: 'Another resource of the same type and id in this archive has other content; that one was kept.',
});

const REPORT_INTERVAL_MS = 1_000;

/** Lets whoever polls the batch see it move, at most once a second. */
function createProgressReporter(
  { db }: Deps,
  { patientId, batchId }: UploadJob,
): (report: ArchiveReport) => Promise<void> {
  let lastReportedAt = 0;
  return async ({ documents }) => {
    if (Date.now() - lastReportedAt < REPORT_INTERVAL_MS) return;
    lastReportedAt = Date.now();
    await db.query(statements.updateDocumentCounts(patientId, batchId, documents));
  };
}
