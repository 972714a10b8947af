import fs from 'node:fs/promises';
import path from 'node:path';
import type { BatchId, PatientId } from '../../contract/ids.ts';
import { RunLater, type JobKind } from '../jobs/kinds.ts';
import { Refusal } from '../kernel/refusal.ts';
import { importResources, type ImportDeps, type ImportResult } from '../records/import.ts';
import { maybeOne, type Tx } from '../storage/db.ts';
import { verifyArchive } from './archive.ts';
import { deleteBlob } from './blobs.sql.ts';
import { fetchFile } from './blobs.ts';
import { keepDocument } from './keep-document.ts';
import { emptyReading, resourcesOf, type Reading } from './read-archive.ts';
import type { Member, Rejection } from './reading.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { ArchiveRefused } from './unreadable.ts';
import * as statements from './uploads.sql.ts';

export const UPLOAD_JOB = 'upload';

export interface UploadJob {
  patientId: PatientId;
  batchId: BatchId;
}

const BUSY_MS = 1_000;

/** Reads an uploaded archive into the record. Killed in the middle, it begins anew and ends the same. */
export const uploadJob = (deps: ImportDeps): JobKind<UploadJob> => ({
  kind: UPLOAD_JOB,
  maxAttempts: 5,
  delaySeconds: (attempt) => 5 * 2 ** attempt,
  async run(upload, signal) {
    if (!(await begin(deps, upload))) return;
    const folder = await temporaryFolder('upload');
    try {
      const file = path.join(folder, 'archive.zip');
      await fetchFile(deps.db, { patientId: upload.patientId, blobId: upload.batchId }, file);
      await process(deps, { upload, file, signal });
    } catch (error) {
      if (!(error instanceof Refusal && error.code === 'patient_gone')) throw error;
    } finally {
      await fs.rm(folder, { recursive: true, force: true });
    }
  },
  parked: (upload) => end(deps, upload, { status: 'failed', reading: withRejection(FAILED), result: null }),
});

const FAILED: Rejection = {
  path: '',
  code: 'processing_failed',
  message: 'The archive could not be processed; please upload it again.',
};

/** False when there is nothing to do: the batch is gone or done. Waits while another batch of the record is read. */
function begin({ db, clock }: ImportDeps, { patientId, batchId }: UploadJob): Promise<boolean> {
  return db.tx(async (tx) => {
    await tx.query(statements.lockForBatch(patientId));
    const batch = await maybeOne(tx, statements.batch(patientId, batchId));
    if (!batch || batch.completed_at !== null) return false;
    if ((await tx.query(statements.otherBatchAtWork(patientId, batchId, clock.now()))).length > 0)
      throw new RunLater(BUSY_MS);
    await tx.query(statements.startBatch(patientId, batchId));
    return true;
  });
}

async function process(
  deps: ImportDeps,
  work: { upload: UploadJob; file: string; signal: AbortSignal },
): Promise<void> {
  const { upload, file, signal } = work;
  try {
    await verifyArchive(file);
  } catch (error) {
    if (!(error instanceof ArchiveRefused)) throw error;
    const refused = withRejection({ path: '', code: error.code, message: error.message });
    return end(deps, upload, { status: 'failed', reading: refused, result: null });
  }
  const first = emptyReading();
  const watcher = {
    progress: reporter(deps, upload),
    keep: (member: Member) => keepDocument(deps, upload, member),
  };
  let readings = 0;
  const result = await importResources(deps, { ...upload, signal }, () =>
    readings++ === 0 ? resourcesOf(file, first, watcher) : resourcesOf(file, emptyReading()),
  );
  first.rejections.push(...result.overridden.map(overridden));
  const status = first.rejections.length === 0 ? 'completed' : 'completed_with_errors';
  await end(deps, upload, { status, reading: first, result });
}

const overridden = ({ path, position }: { path: string; position: string }): Rejection => ({
  path: position === '' ? path : `${path}#${position}`,
  code: 'duplicate_id',
  message: 'Another resource of the same type and id in this archive has other content; that one was kept.',
});

const withRejection = (rejection: Rejection): Reading => ({ ...emptyReading(), rejections: [rejection] });

const REPORT_MS = 1_000;

/** Lets whoever polls the batch see it move, at most once a second. */
function reporter(
  { db }: ImportDeps,
  { patientId, batchId }: UploadJob,
): (reading: Reading) => Promise<void> {
  let reported = 0;
  return async ({ documents }) => {
    if (Date.now() - reported < REPORT_MS) return;
    reported = Date.now();
    await db.query(statements.putDocumentCounts(patientId, batchId, documents));
  };
}

interface Ending {
  status: 'completed' | 'completed_with_errors' | 'failed';
  reading: Reading;
  result: ImportResult | null;
}

/** The outcome, its rejections and the end of the archive's bytes, in one transaction. */
async function end(
  { db, clock }: ImportDeps,
  { patientId, batchId }: UploadJob,
  { status, reading, result }: Ending,
): Promise<void> {
  await db.tx(async (tx: Tx) => {
    // The patient was deleted meanwhile, and the batch with them.
    if ((await tx.query(statements.lockForBatch(patientId))).length === 0) return;
    const { created, updated, unchanged } = result ?? { created: 0, updated: 0, unchanged: 0 };
    const ending = {
      status,
      now: clock.now(),
      documents: reading.documents,
      resources: { created, updated, unchanged },
    };
    await tx.query(statements.endBatch(patientId, batchId, ending));
    await tx.query(statements.forgetRejections(patientId, batchId));
    await tx.query(statements.insertRejections(patientId, batchId, reading.rejections));
    await tx.query(deleteBlob(patientId, batchId));
  });
}
