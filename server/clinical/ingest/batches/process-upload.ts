import fs from 'node:fs/promises';
import path from 'node:path';
import type { PatientId } from '../../../../contract/brands.ts';
import { Reschedule } from '../../../platform/jobs/job-kind.ts';
import { findDueKeys } from '../../../platform/jobs/jobs.ts';
import { RESOURCE_REJECTIONS } from '../../../../documents/fhir/resource-rejections.ts';
import { Refusal } from '../../../platform/kernel/refusal.ts';
import { selectDemographics } from '../../../identity/patients/patients.sql.ts';
import { maybeOne, one, type Tx } from '../../../platform/db/db.ts';
import { copyArchiveToFile } from '../originals/blobs.ts';
import { createConversionBudget, type ConversionBudget, type ConversionLimits } from './conversion-budget.ts';
import type { Rejection } from '../archive/member.ts';
import { hasTestTag } from '../../store/test-tag.ts';
import { createTemporaryFolder } from '../archive/temporary-folder.ts';
import { getJobKey, isOpen, UPLOAD_JOB, WAIT_MS, type UploadJob } from './batch-line.ts';
import { BatchHeld } from './hold-batch.ts';
import { importArchive, type ArchiveDeps, type RefuseResource } from './import-archive.ts';
import { QuotaExceeded } from './kept-budget.ts';
import { failBatch, type UploadTurn } from './upload-job.ts';
import * as statements from './uploads.sql.ts';

interface Deps extends ArchiveDeps {
  conversionLimits?: ConversionLimits;
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
    await copyArchiveToFile(deps, { patientId: upload.patientId, blobId: upload.batchId }, file);
    const refuse = await createRefusalRule(deps, upload, batch);
    const budget = await openBudget(deps, upload, { turnMs, signal });
    const work = { file, batch, refuse, signal, budget };
    try {
      await importArchive(deps, upload, work);
    } finally {
      await budget.save();
    }
  } catch (error) {
    if (error instanceof QuotaExceeded) await failBatch(deps, upload, OVER_QUOTA);
    else if (!(error instanceof BatchHeld) && !(error instanceof Refusal && ENDED_CODES.has(error.code)))
      throw error;
  } finally {
    await fs.rm(folder, { recursive: true, force: true });
  }
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
      if (!batch || !canRead(batch, upload)) return { batch: null };
      const [first] = await tx.query(statements.selectUnfinishedBatches(patientId));
      if (first && first.batch_id !== batchId)
        return { abandoned: await requireAbandoned(tx, { patientId, ...first }) };
      await requireNoRemoval(tx, patientId, batch);
      await tx.query(statements.startBatch(patientId, batchId));
      return { batch };
    });
    if (outcome.abandoned === undefined) return outcome.batch;
    await failBatch(deps, outcome.abandoned);
  }
}

/** What is being taken out of a server's data is known when it has been: until then what it sent since would bring it again. */
async function requireNoRemoval(
  tx: Tx,
  patientId: PatientId,
  { source_id: sourceId }: statements.BatchRow,
): Promise<void> {
  if (sourceId === null) return;
  const { leaving } = await one(tx, statements.isTakingOutOfSource(patientId, sourceId));
  if (leaving) throw new Reschedule(WAIT_MS);
}

/** The job from before a batch was held may still be there when the patient has answered: another one reads it then. */
const canRead = (batch: statements.BatchRow, { isAnswered = false }: UploadJob): boolean =>
  isOpen(batch) && (batch.held_at === null || isAnswered);

/** Returns the batch when no job will read it; reschedules this one otherwise. */
async function requireAbandoned(
  tx: Tx,
  { patientId, ...batch }: statements.BatchInLine & { patientId: PatientId },
): Promise<UploadJob> {
  const due = await findDueKeys(tx, { kind: UPLOAD_JOB, uniqueKeys: [getJobKey(batch)] });
  if (due.length > 0) throw new Reschedule(WAIT_MS);
  return { patientId, batchId: batch.batch_id, isAnswered: batch.held_at !== null };
}

const NOT_TEST_DATA = {
  code: 'not_test_data',
  message: 'The server did not tag this resource as test data (HTEST); it may be of a real person.',
};

/** A server's OperationOutcome among what it sends is for us to read (FHIR R4 §3.1.1.3.2), whether its entry says so or not. */
const SERVER_MESSAGE = { code: 'server_message', message: RESOURCE_REJECTIONS.server_message };

/** Creates the rule for a batch: of what a connected server sends for a test patient, only test data is read. */
async function createRefusalRule(
  { db }: Deps,
  { patientId }: UploadJob,
  { source_id: sourceId }: statements.BatchRow,
): Promise<RefuseResource> {
  const patient = sourceId === null ? null : await maybeOne(db, selectDemographics(patientId));
  const isTest = patient?.is_test_patient === true;
  return ({ resource }) => {
    if (sourceId !== null && resource.resourceType === 'OperationOutcome') return SERVER_MESSAGE;
    return isTest && !hasTestTag(resource) ? NOT_TEST_DATA : null;
  };
}
