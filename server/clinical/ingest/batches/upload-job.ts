import type { BatchId, PatientId } from '../../../../contract/brands.ts';
import type { JobKind } from '../../../platform/jobs/job-kind.ts';
import { completeBatch, createArchiveReport, type CompleteBatchDeps } from './complete-batch.ts';

export const UPLOAD_JOB = 'upload';

export interface UploadJob {
  patientId: PatientId;
  batchId: BatchId;
}

interface Deps extends CompleteBatchDeps {
  /** Runs `processUpload` in a thread of its own. */
  threads: { run(job: { kind: string; payload: UploadJob }, signal: AbortSignal): Promise<void> };
}

/** Creates the job that reads an uploaded archive into the record, away from the event loop that answers requests. */
export const createUploadJob = ({ threads, ...deps }: Deps): JobKind<UploadJob> => ({
  kind: UPLOAD_JOB,
  maxAttempts: 5,
  delaySeconds: (attempt) => 5 * 2 ** attempt,
  run: (payload, signal) => threads.run({ kind: UPLOAD_JOB, payload }, signal),
  onDeadLetter: (upload) =>
    completeBatch(deps, upload, { status: 'failed', report: createArchiveReport([FAILED]), result: null }),
});

const FAILED = {
  path: '',
  code: 'processing_failed',
  message: 'The archive could not be processed; please upload it again.',
};
