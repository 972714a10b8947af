import fs from 'node:fs/promises';
import path from 'node:path';
import { Reschedule } from '../../../platform/jobs/job-kind.ts';
import { hasRunningJobs } from '../../../platform/jobs/jobs.ts';
import { Refusal } from '../../../platform/kernel/refusal.ts';
import { importResources, type ImportDeps } from '../import/import.ts';
import { maybeOne } from '../../../platform/db/db.ts';
import { findUnreadOfBatch } from '../../labels/contents.sql.ts';
import { copyBlobToFile } from '../originals/blobs.ts';
import {
  completeBatch,
  createArchiveReport,
  type ArchiveReport,
  type CompleteBatchDeps,
} from './complete-batch.ts';
import type { DocumentProcessPool } from '../../../../documents/sandbox/document-process-pool.ts';
import { cacheConversions } from '../readers/cache-conversions.ts';
import { deriveDocumentId, storeDocument } from '../originals/store-document.ts';
import { readResources, scanArchive } from './read-archive.ts';
import { READERS } from '../readers/read-member.ts';
import type { Original } from '../readers/reader.ts';
import type { MemberScan } from '../readers/scan-member.ts';
import { createDocumentReader } from '../readers/document.ts';
import type { Rejection } from '../archive/member.ts';
import { createTemporaryFolder } from '../archive/temporary-folder.ts';
import { ArchiveError } from '../archive/archive-errors.ts';
import { UPLOAD_JOB, type UploadJob } from './upload-job.ts';
import * as statements from './uploads.sql.ts';

interface Deps extends ImportDeps, CompleteBatchDeps {
  /** Converts documents that are not FHIR JSON. */
  documents: Pick<DocumentProcessPool, 'convert'>;
}

const BUSY_RETRY_MS = 1_000;

/** Reads an uploaded archive into the record. Killed in the middle, it starts over with the same result. */
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

/** Returns null when the batch is gone or done; reschedules the job while another batch of the record is read. */
function startBatch(
  { db, clock }: Deps,
  { patientId, batchId }: UploadJob,
): Promise<statements.BatchRow | null> {
  return db.tx(async (tx) => {
    await tx.query(statements.lockForBatch(patientId));
    const batch = await maybeOne(tx, statements.selectBatch(patientId, batchId));
    if (!batch || batch.completed_at !== null) return null;
    const others = await tx.query(statements.selectStartedBatches(patientId, batchId));
    const uniqueKeys = others.map(({ batch_id: other }) => other);
    if (others.length > 0 && (await hasRunningJobs(tx, { kind: UPLOAD_JOB, uniqueKeys }, clock.now())))
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
  const documents = createDocumentReader({
    convert: cacheConversions(path.dirname(file), (document) => deps.documents.convert(document)),
    deriveDocumentId: (document) => deriveDocumentId(upload.patientId, document),
  });
  let scans: MemberScan[];
  try {
    scans = await scanArchive(file, [...READERS, documents], work.signal);
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    const report = createArchiveReport([{ path: '', code: error.code, message: error.message }]);
    return completeBatch(deps, upload, { status: 'failed', report, result: null });
  }
  const archiveReport = createArchiveReport();
  const callbacks = {
    onProgress: createProgressReporter(deps, upload),
    onDocument: (memberPath: string, original: Original) =>
      storeDocument(deps, { ...upload, ...original, path: memberPath }),
  };
  let passes = 0;
  const result = await importResources(deps, { ...upload, ...work }, () =>
    passes++ === 0
      ? readResources({ file, scans }, archiveReport, callbacks)
      : readResources({ file, scans }, createArchiveReport()),
  );
  archiveReport.rejections.push(
    ...result.overridden.map(createDuplicateRejection),
    ...(await listUnclassified(deps, upload)),
  );
  const status = archiveReport.rejections.length === 0 ? 'completed' : 'completed_with_errors';
  await completeBatch(deps, upload, { status, report: archiveReport, result });
}

const createDuplicateRejection = ({ path, position }: { path: string; position: string }): Rejection => ({
  path: position === '' ? path : `${path}#${position}`,
  code: 'duplicate_id',
  message: 'Another resource of the same type and id in this archive has other content; that one was kept.',
});

const MAX_UNCLASSIFIED = 10_000;

/** Lists the places of the batch whose class is unknown, because a document in them could not be read. */
async function listUnclassified({ db }: Deps, { patientId, batchId }: UploadJob): Promise<Rejection[]> {
  const rows = await db.query(findUnreadOfBatch(patientId, batchId, MAX_UNCLASSIFIED));
  return rows.map(({ document_path, reference }) => ({
    path: `${document_path}#${reference}`,
    code: 'class_unknown',
    message:
      'A document in it could not be read, so it is treated as specially protected information of every class.',
  }));
}

const REPORT_INTERVAL_MS = 1_000;

/** Writes the counts that clients poll, at most once a second. */
function createProgressReporter(
  { db, clock }: Deps,
  { patientId, batchId }: UploadJob,
): (report: ArchiveReport) => Promise<void> {
  let lastReportedAt = Number.NEGATIVE_INFINITY;
  return async ({ documents }) => {
    const now = clock.now().getTime();
    if (now - lastReportedAt < REPORT_INTERVAL_MS) return;
    lastReportedAt = now;
    await db.query(statements.updateDocumentCounts(patientId, batchId, documents));
  };
}
