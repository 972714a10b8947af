import type { BatchId, PatientId, SourceId } from '../../../../contract/brands.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import type { Counts } from '../import/write-page.ts';
import { maybeOne, one, type Db, type Tx } from '../../../platform/db/db.ts';
import type { ArchiveReport } from '../archive/archive-report.ts';
import { deleteBlob } from '../originals/blobs.sql.ts';
import * as statements from './uploads.sql.ts';

/** A batch that changed a record, to be told to those who may read it. */
export interface RecordUpdate {
  patientId: PatientId;
  batchId: BatchId;
  /** The connected server it was fetched from; null for what the patient uploaded. */
  sourceId: SourceId | null;
  /** The record's time: what changes later has a later one. */
  updatedAt: Date;
  now: Date;
}

export interface CompleteBatchDeps {
  db: Db;
  clock: Clock;
  /** In the transaction in which a batch ends that changed the record. */
  emitUpdate(tx: Tx, update: RecordUpdate): Promise<void>;
}

interface BatchResult {
  status: 'completed' | 'completed_with_errors' | 'failed';
  report: ArchiveReport;
  result: Counts | null;
}

/** The outcome, its rejections and the end of the archive's bytes, in one transaction. */
export async function completeBatch(
  { db, clock, emitUpdate }: CompleteBatchDeps,
  { patientId, batchId }: { patientId: PatientId; batchId: BatchId },
  { status, report, result }: BatchResult,
): Promise<void> {
  await db.tx(async (tx) => {
    const head = await maybeOne(tx, statements.lockForBatch(patientId));
    const batch = head && (await maybeOne(tx, statements.selectBatch(patientId, batchId)));
    // The patient was deleted meanwhile, and the batch with them; or another attempt was as far before.
    if (!batch || batch.completed_at !== null) return;
    const { created, updated, unchanged } = result ?? { created: 0, updated: 0, unchanged: 0 };
    const now = clock.now();
    const outcome = {
      status,
      now,
      documents: report.documents,
      resources: { created, updated, unchanged },
    };
    await tx.query(statements.completeBatch(patientId, batchId, outcome));
    await tx.query(statements.deleteRejections(patientId, batchId));
    await tx.query(statements.insertRejections(patientId, batchId, report.rejections));
    await tx.query(deleteBlob(patientId, batchId));
    // Asked of the record itself: of a batch that failed in the middle, a part may be there.
    const { changed } = await one(tx, statements.selectHasChanged(patientId, batchId));
    if (!changed || !head.last_synchronized_at) return;
    const updatedAt = head.last_synchronized_at;
    await emitUpdate(tx, { patientId, batchId, sourceId: batch.source_id, updatedAt, now });
  });
}
