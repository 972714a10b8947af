import type { BatchId, PatientId } from '../../../../contract/brands.ts';
import type { JobKind } from '../../../platform/jobs/job-kind.ts';
import { Refusal } from '../../../platform/kernel/refusal.ts';

export const REMOVAL_JOB = 'upload.remove';

/** An upload that is taken out. */
export interface Removal {
  patientId: PatientId;
  batchId: BatchId;
}

/** Creates the job that ends what has begun: an upload is taken out whole, also where the process that began is killed. */
export const createRemovalJob = (remove: (removal: Removal) => Promise<void>): JobKind<Removal> => ({
  kind: REMOVAL_JOB,
  isStandby: true,
  maxAttempts: 12,
  delaySeconds: (attempt) => 5 * 2 ** attempt,
  run: (removal) =>
    remove(removal).catch((error: unknown) => {
      // It is gone, or was sent to be read again since.
      if (!(error instanceof Refusal)) throw error;
    }),
});
