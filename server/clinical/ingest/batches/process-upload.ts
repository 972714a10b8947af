import fs from 'node:fs/promises';
import path from 'node:path';
import type { BatchId } from '../../../../contract/brands.ts';
import { Reschedule } from '../../../platform/jobs/job-kind.ts';
import { findDueKeys } from '../../../platform/jobs/jobs.ts';
import { Refusal } from '../../../platform/kernel/refusal.ts';
import { importResources, type ImportDeps } from '../import/import.ts';
import { selectDemographics } from '../../../identity/patients/patients.sql.ts';
import { maybeOne, type Tx } from '../../../platform/db/db.ts';
import { findUnreadOfBatch } from '../../labels/contents.sql.ts';
import { copyBlobToFile } from '../originals/blobs.ts';
import {
  completeBatch,
  createArchiveReport,
  UPLOAD_JOB,
  type ArchiveReport,
  type CompleteBatchDeps,
} from './complete-batch.ts';
import type { DocumentProcessPool } from '../../../../documents/sandbox/document-process-pool.ts';
import {
  createBudgetedExtraction,
  createConversionBudget,
  type ConversionBudget,
  type ConversionLimits,
} from './conversion-budget.ts';
import { cacheConversions } from '../readers/cache-conversions.ts';
import { deriveDocumentId, storeDocument } from '../originals/store-document.ts';
import { readResources, scanArchive } from './read-archive.ts';
import { READERS } from '../readers/read-member.ts';
import type { Original } from '../readers/reader.ts';
import type { MemberScan } from '../readers/scan-member.ts';
import { createDocumentReader } from '../readers/document.ts';
import type { Rejection } from '../archive/member.ts';
import type { FoundResource } from '../../store/found-resource.ts';
import { hasTestTag } from '../../store/test-tag.ts';
import { createTemporaryFolder } from '../archive/temporary-folder.ts';
import { ArchiveError } from '../archive/archive-errors.ts';
import { createKeptBudget, QuotaExceeded, type KeptBudget } from './kept-budget.ts';
import { sumKeptBytes } from './quotas.ts';
import { failBatch, WAIT_MS, type UploadJob, type UploadTurn } from './upload-job.ts';
import * as statements from './uploads.sql.ts';

interface Deps extends Omit<ImportDeps, 'extractText'>, CompleteBatchDeps {
  /** Converts documents that are not FHIR JSON, and reads those that are attached to resources. */
  documents: Pick<DocumentProcessPool, 'convert' | 'extractText'>;
  conversionLimits?: ConversionLimits;
  /** The bytes that are kept of a patient at most. */
  quotaBytes: number;
}

/**
 * Reads an uploaded archive into the record. Killed in the middle, or rescheduled at the end of its turn, it starts over with
 * the same result.
 */
export async function processUpload(
  deps: Deps,
  { turnMs = null, ...upload }: UploadJob & Partial<UploadTurn>,
  signal: AbortSignal,
): Promise<void> {
  const batch = await startBatch(deps, upload);
  if (!batch) return;
  const folder = await createTemporaryFolder('upload');
  try {
    const file = path.join(folder, 'archive.zip');
    await copyBlobToFile(deps.db, { patientId: upload.patientId, blobId: upload.batchId }, file);
    const refuse = await createRefusalRule(deps, upload, batch);
    const budget = await openBudget(deps, upload, { turnMs, signal });
    const work = { file, origin: batch.origin, refuse, signal, budget };
    try {
      await importArchive(deps, upload, work);
    } finally {
      await budget.save();
    }
  } catch (error) {
    if (error instanceof QuotaExceeded) await failBatch(deps, upload, OVER_QUOTA);
    else if (!(error instanceof Refusal && ENDED_CODES.has(error.code))) throw error;
  } finally {
    await fs.rm(folder, { recursive: true, force: true });
  }
}

/** The archive itself is deleted when it has been read. */
async function openKeptBudget(
  { db, quotaBytes }: Deps,
  { patientId }: UploadJob,
  archive: string,
): Promise<KeptBudget> {
  const keptBytes = (await sumKeptBytes(db, patientId)) - (await fs.stat(archive)).size;
  return createKeptBudget(quotaBytes - keptBytes);
}

const openBudget = (
  { db, clock, conversionLimits: limits }: Deps,
  { patientId }: UploadJob,
  turn: { turnMs: number | null; signal: AbortSignal },
): Promise<ConversionBudget> =>
  createConversionBudget({ db, clock }, { patientId, ...turn, ...(limits && { limits }) });

const OVER_QUOTA: Rejection = {
  path: '',
  code: 'quota_exceeded',
  message: 'The archive unpacks to more than may be kept of the record; remove other uploads first.',
};

/** Why a batch needs no further reading: its record is gone, or another attempt has completed it. */
const ENDED_CODES: ReadonlySet<string> = new Set(['patient_gone', 'batch_ended']);

/**
 * Returns null when the batch is gone or done; reschedules the job while an earlier batch of the record is not. An earlier one
 * that no job will read any more (its last attempt failed, and the process died before it said so) is ended first.
 */
async function startBatch(deps: Deps, upload: UploadJob): Promise<statements.BatchRow | null> {
  const { patientId, batchId } = upload;
  for (;;) {
    const outcome = await deps.db.tx(async (tx) => {
      await tx.query(statements.lockForBatch(patientId));
      const batch = await maybeOne(tx, statements.selectBatch(patientId, batchId));
      if (!batch || batch.completed_at !== null) return { batch: null };
      const [first] = await tx.query(statements.selectUnfinishedBatches(patientId));
      if (first && first.batch_id !== batchId)
        return { abandoned: await requireAbandoned(tx, first.batch_id) };
      await tx.query(statements.startBatch(patientId, batchId));
      return { batch };
    });
    if (outcome.abandoned === undefined) return outcome.batch;
    await failBatch(deps, { patientId, batchId: outcome.abandoned });
  }
}

/** Returns the batch when no job will read it; reschedules this one otherwise. */
async function requireAbandoned(tx: Tx, batchId: BatchId): Promise<BatchId> {
  const due = await findDueKeys(tx, { kind: UPLOAD_JOB, uniqueKeys: [batchId] });
  if (due.length > 0) throw new Reschedule(WAIT_MS);
  return batchId;
}

/** Throws when the batch has ended: a thread that was suspended must not write old data over what came after. */
async function requireOpenBatch(tx: Tx, { patientId, batchId }: UploadJob): Promise<void> {
  const batch = await maybeOne(tx, statements.selectBatch(patientId, batchId));
  if (batch === null || batch.completed_at !== null)
    throw new Refusal(409, 'batch_ended', { detail: 'The upload has been read by another attempt.' });
}

type RefuseResource = (found: FoundResource) => Pick<Rejection, 'code' | 'message'> | null;

const NOT_TEST_DATA = {
  code: 'not_test_data',
  message: 'The server did not tag this resource as test data (HTEST); it may be of a real person.',
};

/** Creates the rule for a batch: of what a connected server sends for a test patient, only test data is read. */
async function createRefusalRule(
  { db }: Deps,
  { patientId }: UploadJob,
  { source_id: sourceId }: statements.BatchRow,
): Promise<RefuseResource> {
  const patient = sourceId === null ? null : await maybeOne(db, selectDemographics(patientId));
  const isTest = patient?.is_test_patient === true;
  return ({ resource }) => (isTest && !hasTestTag(resource) ? NOT_TEST_DATA : null);
}

async function importArchive(
  deps: Deps,
  upload: UploadJob,
  work: {
    file: string;
    origin: string;
    refuse: RefuseResource;
    signal: AbortSignal;
    budget: ConversionBudget;
  },
): Promise<void> {
  const { file, refuse, budget } = work;
  const documents = createDocumentReader({
    convert: cacheConversions(path.dirname(file), (document) =>
      budget.spend((options) => deps.documents.convert(document, options)),
    ),
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
  const kept = await openKeptBudget(deps, upload, file);
  const callbacks = {
    onProgress: createProgressReporter(deps, upload),
    onDocument: (memberPath: string, original: Original) =>
      storeDocument({ ...deps, spend: kept.spend }, { ...upload, ...original, path: memberPath }),
    refuse,
  };
  let passes = 0;
  const target = { ...upload, ...work, requireOpen: (tx: Tx) => requireOpenBatch(tx, upload) };
  const extractText = createBudgetedExtraction(deps.documents, budget);
  const result = await importResources({ ...deps, extractText }, target, () =>
    passes++ === 0
      ? kept.meter(readResources({ file, scans }, archiveReport, callbacks))
      : readResources({ file, scans }, createArchiveReport(), { refuse }),
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
