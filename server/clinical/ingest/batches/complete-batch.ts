import type { BatchId, DataMask, PatientId, SourceId } from '../../../../contract/brands.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import type { Counts } from '../import/settle-known.ts';
import { maybeOne, type Db, type Tx } from '../../../platform/db/db.ts';
import { enqueueJob } from '../../../platform/jobs/jobs.ts';
import type { Rejection } from '../archive/member.ts';
import { deleteArchive } from '../originals/remove-documents.ts';
import { LOSSLESS_REJECTIONS } from '../../store/unread-places.sql.ts';
import { endLabeling, requestReading } from '../../store/required-labels.sql.ts';
import { lockRecord } from '../../store/resources.sql.ts';
import { expediteNext, isOpen, type UploadJob } from './batch-line.ts';
import { RELABEL_JOB } from './relabel-job.ts';
import * as statements from './uploads.sql.ts';

/** A batch that changed a record, of which those who may read it are notified. */
export interface RecordUpdate {
  patientId: PatientId;
  batchId: BatchId;
  /** The connected server it was fetched from; null for what the patient uploaded. */
  sourceId: SourceId | null;
  /** The record's time: a later change has a later one. */
  updatedAt: Date;
  /** The sets of labels that what it changed requires, each once. */
  requiredLabels: readonly DataMask[];
  /** The batch was taken out. */
  removed?: boolean;
  now: Date;
}

export interface CompleteBatchDeps {
  db: Db;
  clock: Clock;
  /** Called in the transaction in which a batch that changed the record ends. */
  emitUpdate(tx: Tx, update: RecordUpdate): Promise<void>;
}

/** What an archive held besides resources; complete when it was read to its end. */
export interface ArchiveReport {
  documents: statements.DocumentCounts;
  rejections: Rejection[];
}

export const createArchiveReport = (rejections: Rejection[] = []): ArchiveReport => ({
  documents: { total: 0, processed: 0, rejected: 0 },
  rejections,
});

interface BatchResult {
  status: 'completed' | 'completed_with_errors' | 'failed';
  report: ArchiveReport;
  result: Counts | null;
}

const countUnread = (rejections: readonly Rejection[]): number =>
  rejections.filter(({ code }) => !LOSSLESS_REJECTIONS.includes(code)).length;

/**
 * Writes the outcome and its rejections, shows what the batch wrote to everybody who may read it, deletes the archive's bytes,
 * and makes the record's next batch due, in one transaction.
 */
export async function completeBatch(
  { db, clock, emitUpdate }: CompleteBatchDeps,
  { patientId, batchId, isAnswered = false }: UploadJob,
  { status, report, result }: BatchResult,
): Promise<void> {
  await db.tx(async (tx) => {
    const head = await maybeOne(tx, statements.lockForBatch(patientId));
    const batch = head && (await maybeOne(tx, statements.selectBatch(patientId, batchId)));
    // The patient was deleted meanwhile, and the batch with them; or another attempt was as far before.
    if (!batch || !isOpen(batch)) return;
    // An attempt from before the patient's answer does not end what is read because of it.
    if (batch.held_at !== null && !isAnswered) return;
    const { created, updated, unchanged } = result ?? { created: 0, updated: 0, unchanged: 0 };
    const now = clock.now();
    const outcome = {
      status,
      now,
      documents: report.documents,
      resources: { created, updated, unchanged },
      unreadPlaces: countUnread(report.rejections),
    };
    await tx.query(statements.completeBatch(patientId, batchId, outcome));
    if (status === 'failed') await requestLabels(tx, { patientId, batchId, now });
    await tx.query(endLabeling(patientId));
    // Answers say that something was not read, also of an upload that changed nothing else.
    if (outcome.unreadPlaces > 0) await tx.query(lockRecord(patientId));
    await tx.query(statements.deleteRejections(patientId, batchId));
    await tx.query(statements.insertRejections(patientId, batchId, report.rejections));
    await deleteArchive(tx, { patientId, batchId, now });
    await expediteNext(tx, patientId, now);
    // The record itself says so: a batch that failed in the middle may have written a part.
    const changed = await tx.query(statements.selectChangedLabels(patientId, batchId));
    if (changed.length === 0 || !head.last_synchronized_at) return;
    const updatedAt = head.last_synchronized_at;
    const requiredLabels = changed.map((row) => row.required_labels);
    await emitUpdate(tx, { patientId, batchId, sourceId: batch.source_id, updatedAt, requiredLabels, now });
  });
}

/**
 * What a batch wrote that failed in the middle is not labeled, or not by all that others share with it: consents that leave
 * something out show the state before it until a job has read the record anew.
 */
async function requestLabels(
  tx: Tx,
  { patientId, batchId, now }: { patientId: PatientId; batchId: BatchId; now: Date },
): Promise<void> {
  if ((await tx.query(requestReading(patientId))).length > 0)
    await enqueueJob(tx, { kind: RELABEL_JOB, uniqueKey: batchId, payload: { patientId }, now });
}
