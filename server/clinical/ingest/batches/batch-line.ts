import type { BatchId, PatientId } from '../../../../contract/brands.ts';
import type { Tx } from '../../../platform/db/db.ts';
import { expediteJob } from '../../../platform/jobs/jobs.ts';
import { selectUnfinishedBatches, type BatchInLine, type BatchRow } from './uploads.sql.ts';

/** The kind of the job that reads a batch. */
export const UPLOAD_JOB = 'upload';

export interface UploadJob {
  patientId: PatientId;
  batchId: BatchId;
  /** The batch was held, and the patient has confirmed it. */
  isAnswered?: boolean;
}

/** How long a batch waits for the one before it until it looks itself, should nobody have woken it. */
export const WAIT_MS = 60_000;

/**
 * The key of the job that reads a batch. What was held is read by a job of its own: the first one may still be ending when
 * the patient answers.
 */
export const getJobKey = ({ batch_id: batchId, held_at: heldAt }: BatchInLine): string =>
  heldAt === null ? batchId : `${batchId}/answered`;

/** Says whether a batch waits to be read, or is read. */
export const isOpen = ({ status, completed_at: completedAt }: BatchRow): boolean =>
  completedAt === null && status !== 'needs_confirmation';

/** Makes the record's next batch due, when the one before has ended or waits for its patient. */
export async function expediteNext(tx: Tx, patientId: PatientId, now: Date): Promise<void> {
  const [next] = await tx.query(selectUnfinishedBatches(patientId));
  if (next) await expediteJob(tx, { kind: UPLOAD_JOB, uniqueKey: getJobKey(next) }, now);
}
