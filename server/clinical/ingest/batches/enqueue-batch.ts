import type { BatchId, PatientId, SourceId } from '../../../../contract/brands.ts';
import type { Jobs } from '../../../platform/jobs/worker.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { generateId } from '../../../platform/kernel/ids.ts';
import { notFound } from '../../../platform/kernel/refusal.ts';
import type { Db } from '../../../platform/db/db.ts';
import { deleteBlob } from '../originals/blobs.sql.ts';
import { writeBlob } from '../originals/blobs.ts';
import { UPLOAD_JOB, type UploadJob } from './upload-job.ts';
import * as statements from './uploads.sql.ts';

export interface BatchDeps {
  db: Db;
  clock: Clock;
  jobs: Jobs;
}

/** Where what a batch holds was fetched. */
export interface BatchSource {
  sourceId: SourceId;
  /** Base address, as in `https://ehr.example/fhir/R4`: what ids without an absolute fullUrl, and relative references, are from. */
  origin: string;
}

interface NewBatch {
  patientId: PatientId;
  /** A zip archive; it may be removed when this has returned. */
  file: string;
  /** Null for what the patient uploaded. */
  source: BatchSource | null;
}

/**
 * Keeps an archive in the shared store and puts it in line to be read, in one transaction with its batch. When this
 * returns, it survives any crash; when it throws, nothing of it is left. Batches of one record are read one by one, in
 * no order that may be relied on.
 */
export async function enqueueBatch(
  { db, clock, jobs }: BatchDeps,
  { patientId, file, source }: NewBatch,
): Promise<BatchId> {
  const batchId = generateId<BatchId>();
  try {
    await writeBlob(db, { patientId, blobId: batchId }, file);
    await db.tx(async (tx) => {
      if ((await tx.query(statements.lockRecordShared(patientId))).length === 0)
        throw notFound('The patient');
      await tx.query(
        statements.insertBatch(patientId, {
          batchId,
          source: source && normalizeSource(source),
          now: clock.now(),
        }),
      );
      await jobs.enqueue<UploadJob>(tx, {
        kind: UPLOAD_JOB,
        uniqueKey: batchId,
        payload: { patientId, batchId },
      });
    });
    return batchId;
  } catch (error) {
    await db.query(deleteBlob(patientId, batchId));
    throw error;
  }
}

/** As the base of an absolute address reads: without a slash at its end. */
const normalizeSource = ({ sourceId, origin }: BatchSource): BatchSource => ({
  sourceId,
  origin: origin.endsWith('/') ? origin.slice(0, -1) : origin,
});
