import type { BatchId, PatientId } from '../../../../contract/brands.ts';
import type { Audit } from '../../../platform/audit/append.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { notFound } from '../../../platform/kernel/refusal.ts';
import { maybeOne, type Db, type Tx } from '../../../platform/db/db.ts';
import { getJobKey, UPLOAD_JOB, WAIT_MS, type UploadJob } from './batch-line.ts';
import { deletePersons } from './batch-persons.sql.ts';
import type { BatchDeps } from './enqueue-batch.ts';
import * as statements from './uploads.sql.ts';
import { writeToLogs } from './write-to-logs.ts';

export interface ConfirmDeps {
  db: Db;
  clock: Clock;
  audit: Audit;
  jobs: BatchDeps['jobs'];
}

interface Confirmation {
  patientId: PatientId;
  batchId: BatchId;
}

/**
 * Keeps the patient's statement that an upload is about them, in one transaction with its audit entries and the job that
 * reads what was held; who it named is forgotten. Said before the upload was read, it is not asked. Repeating it changes
 * nothing, as with an upload that was never asked about. Throws `not_found`.
 *
 * What was held is read after everything that waits now, and writes nothing over what later uploads brought:
 * `position` says what is newer, `turn` who is next.
 */
export async function confirmBatch(deps: ConfirmDeps, { patientId, batchId }: Confirmation): Promise<void> {
  await deps.db.tx(async (tx) => {
    const head = await maybeOne(tx, statements.lockForBatch(patientId));
    const batch = head && (await maybeOne(tx, statements.selectBatch(patientId, batchId)));
    if (!batch || batch.is_leaving) throw notFound('The upload');
    if (batch.confirmed_at !== null || batch.completed_at !== null) return;
    const earlier = await tx.query(statements.selectUnfinishedBatches(patientId));
    const now = deps.clock.now();
    await tx.query(statements.confirmBatch(patientId, batchId, now));
    await writeConfirmation(tx, deps, { patientId, batchId });
    if (batch.status !== 'needs_confirmation') return;
    await tx.query(deletePersons(patientId, batchId));
    await deps.jobs.enqueue<UploadJob>(tx, {
      kind: UPLOAD_JOB,
      uniqueKey: getJobKey(batch),
      payload: { patientId, batchId, isAnswered: true },
      ...(earlier.length > 0 && { runAt: new Date(now.getTime() + WAIT_MS) }),
    });
  });
}

export const writeConfirmation = (
  tx: Tx,
  { audit, clock }: Pick<ConfirmDeps, 'audit' | 'clock'>,
  { patientId, batchId }: Confirmation,
): Promise<void> =>
  writeToLogs(tx, audit, {
    patientId,
    action: 'upload.confirmed',
    detail: { batchId },
    requiredLabels: [],
    now: clock.now(),
  });
