import type { BatchId, DataMask, PatientId } from '../../../../contract/brands.ts';
import type { EmitUpdate, RecordsUpdate } from '../../../consent/access/record-change.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import type { Counts } from '../import/settle-known.ts';
import { maybeOne, type Db, type Tx } from '../../../platform/db/db.ts';
import { enqueueJob } from '../../../platform/jobs/jobs.ts';
import type { Rejection } from '../archive/member.ts';
import { deleteArchive } from '../originals/remove-documents.ts';
import { LOSSLESS_REJECTIONS } from '../../store/unread-places.sql.ts';
import { listFormerLabels, noteFormerPatients } from '../../store/person-changes.sql.ts';
import { clearUnannounced, parseChanges, selectBatchChanges } from '../../store/record-changes.sql.ts';
import { endLabeling, requestReading } from '../../store/required-labels.sql.ts';
import { lockRecord } from '../../store/resources.sql.ts';
import { expediteNext, isOpen, type UploadJob } from './batch-line.ts';
import { RELABEL_JOB } from './relabel-job.ts';
import * as statements from './uploads.sql.ts';

export interface CompleteBatchDeps {
  db: Db;
  clock: Clock;
  /** Called in the transaction in which a batch that changed the record ends. */
  emitUpdate: EmitUpdate;
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
    const isLabeled = (await tx.query(endLabeling(patientId))).length > 0 || head.labeled_until === null;
    // Answers say that something was not read, also of an upload that changed nothing else.
    if (outcome.unreadPlaces > 0) await tx.query(lockRecord(patientId));
    await tx.query(statements.deleteRejections(patientId, batchId));
    await tx.query(statements.insertRejections(patientId, batchId, report.rejections));
    await deleteArchive(tx, { patientId, batchId, now });
    await expediteNext(tx, patientId, now);
    const changes = await collectChanges(tx, {
      patientId,
      batchId,
      head,
      received: batch.received_at,
      isLabeled,
    });
    if (!head.last_synchronized_at) return;
    const cause = { batchId, sourceId: batch.source_id };
    await emitUpdate(tx, { patientId, cause, updatedAt: head.last_synchronized_at, ...changes, now });
  });
}

type Changes = Required<Pick<RecordsUpdate, 'changes' | 'relabeled'>>;

interface Ended extends Omit<UploadJob, 'isAnswered'> {
  head: statements.BatchHeadRow;
  received: Date;
  isLabeled: boolean;
}

/**
 * Collects what the batch has changed to readers, and what has other labels because of it. The record itself says so: a batch that
 * failed in the middle may have written a part, which those see at once who see everything, and the others when it is labeled.
 */
async function collectChanges(tx: Tx, ended: Ended): Promise<Changes> {
  const { patientId, batchId, head, received, isLabeled } = ended;
  const { labeled_until: labeledUntil, removed_at: removedAt } = head;
  // A removal meanwhile has moved the one forward: what the batch has changed, it changed after it came.
  const since =
    labeledUntil !== null && removedAt !== null && removedAt >= labeledUntil ? received : labeledUntil;
  const changed = await tx.query(selectBatchChanges(patientId, { batchId, since }));
  if (!isLabeled) return { changes: changed.length === 0 ? [] : [UNLABELED], relabeled: [] };
  const former = listFormerLabels(changed);
  if (former.length > 0 && head.last_synchronized_at !== null)
    await tx.query(noteFormerPatients(patientId, former, head.last_synchronized_at));
  if (head.unannounced_changes !== null) await tx.query(clearUnannounced(patientId));
  return {
    changes: changed.map(({ before, after }) => ({ before, after, part: null })),
    relabeled: parseChanges(head.unannounced_changes),
  };
}

const UNLABELED = { before: null, after: -1 as DataMask, part: null };

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
