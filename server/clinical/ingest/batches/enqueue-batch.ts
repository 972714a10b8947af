import fs from 'node:fs/promises';
import type { BatchId, PatientId, SourceId } from '../../../../contract/brands.ts';
import type { Jobs } from '../../../platform/jobs/worker.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { generateId } from '../../../platform/kernel/ids.ts';
import { notFound } from '../../../platform/kernel/refusal.ts';
import { maybeOne, type Db, type Tx } from '../../../platform/db/db.ts';
import type { Objects } from '../../../platform/objects/objects.ts';
import { keepObject, type PlacedObject } from '../../../platform/objects/refer-to-objects.ts';
import { markRecordsFetched } from '../../../identity/patients/patients.sql.ts';
import type { UploadQuotas } from './quotas.ts';
import { deleteBlob } from '../originals/blobs.sql.ts';
import { writeBlob } from '../originals/blobs.ts';
import { UPLOAD_JOB, WAIT_MS, type UploadJob } from './batch-line.ts';
import * as statements from './uploads.sql.ts';

export interface BatchDeps {
  db: Db;
  clock: Clock;
  /** Where archives and originals are, or are not. */
  objects: Objects;
  jobs: Pick<Jobs, 'enqueue'>;
  /** What patients may upload; what is fetched from a source is limited by what is kept alone. */
  quotas?: UploadQuotas;
}

/** The connected server that a batch was fetched from. */
export interface BatchSource {
  sourceId: SourceId;
  /**
   * Base URL, as in `https://ehr.example/fhir/R4`: the origin of ids without an absolute fullUrl, and of relative
   * references.
   */
  origin: string;
}

interface NewBatch {
  patientId: PatientId;
  /** A zip archive; it may be removed after the call. */
  file: string;
  /** Null for what the patient uploaded. */
  source: BatchSource | null;
  /** The first files in it, by which people know it; none of what was fetched. */
  paths?: readonly string[];
  /** The patient has said that it is about them: called in the transaction of the batch. Absent: they may be asked. */
  confirm?(tx: Tx, batchId: BatchId): Promise<void>;
  /** Called in the transaction of the batch, with what else is written of it. */
  onEnqueued?(tx: Tx, batchId: BatchId): Promise<void>;
}

/**
 * Writes an archive to the shared store and enqueues the job that reads it, in one transaction with its batch. When this
 * returns, the batch survives any crash; when it throws, nothing of it is left. Batches of one record are read one at a
 * time, in the order in which they are acknowledged here: whatever was uploaded later is newer.
 */
export async function enqueueBatch(deps: BatchDeps, batch: NewBatch): Promise<BatchId> {
  const { db, objects } = deps;
  const { patientId, file } = batch;
  const batchId = generateId<BatchId>();
  const write = (placed?: PlacedObject) =>
    db.tx((tx) => insertBatch(tx, deps, { ...batch, batchId, placed }));
  try {
    if (objects.takesNew) {
      const content = { file, size: (await fs.stat(file)).size };
      await objects.placeFor(
        { patientId, objectId: batchId, use: 'archive', encoding: 'identity', content },
        write,
      );
    } else {
      await writeBlob(db, { patientId, blobId: batchId }, file);
      await write();
    }
    return batchId;
  } catch (error) {
    // A commit whose answer was lost may have been made; its archive must then not be missing.
    if ((await maybeOne(db, statements.selectBatch(patientId, batchId))) !== null) return batchId;
    await db.query(deleteBlob(patientId, batchId));
    throw error;
  }
}

async function insertBatch(
  tx: Tx,
  { clock, jobs, quotas }: BatchDeps,
  {
    patientId,
    batchId,
    placed,
    source,
    paths = [],
    confirm,
    onEnqueued,
  }: NewBatch & { batchId: BatchId; placed: PlacedObject | undefined },
): Promise<void> {
  if ((await tx.query(statements.lockForBatch(patientId))).length === 0) throw notFound('The patient');
  const earlier = await tx.query(statements.selectUnfinishedBatches(patientId));
  const now = clock.now();
  if (placed) await keepObject(tx, placed, now);
  // Counted again under the lock: of any number of uploads at once, as many pass as the quota permits.
  if (source === null) await quotas?.requireAllowed(tx, { patientId, bytes: 0, now });
  await tx.query(
    statements.insertBatch(patientId, {
      batchId,
      source: source && normalizeSource(source),
      paths,
      isConfirmed: confirm !== undefined,
      now,
    }),
  );
  await confirm?.(tx, batchId);
  await onEnqueued?.(tx, batchId);
  if (source) await tx.query(markRecordsFetched(patientId));
  await jobs.enqueue<UploadJob>(tx, {
    kind: UPLOAD_JOB,
    uniqueKey: batchId,
    payload: { patientId, batchId },
    // The end of the one before makes it due; until then it would only take the place of another patient's.
    ...(earlier.length > 0 && { runAt: new Date(now.getTime() + WAIT_MS) }),
  });
}

/** Removes the slash at the end, as the base of an absolute URL has none. */
const normalizeSource = ({ sourceId, origin }: BatchSource): BatchSource => ({
  sourceId,
  origin: origin.endsWith('/') ? origin.slice(0, -1) : origin,
});
