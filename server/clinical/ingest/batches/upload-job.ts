import type { PatientId } from '../../../../contract/brands.ts';
import type { JobKind } from '../../../platform/jobs/job-kind.ts';
import type { Rejection } from '../archive/member.ts';
import { UPLOAD_JOB, type UploadJob } from './batch-line.ts';
import { completeBatch, createArchiveReport, type CompleteBatchDeps } from './complete-batch.ts';
import { createUploadTurns } from './upload-turns.ts';

/** What a thread is handed. */
export interface UploadTurn extends UploadJob {
  /** Milliseconds of conversion after which the archive goes to the end of the line; null: none. */
  turnMs: number | null;
}

interface Deps extends CompleteBatchDeps {
  /** Runs `processUpload` in a thread of its own. */
  threads: { run(job: { kind: string; payload: UploadTurn }, signal: AbortSignal): Promise<void> };
  /** Called when a batch has ended, which may have made the next one of the record due. */
  wake(): void;
  /** Called when an archive has been read into the record. */
  onRead(patientId: PatientId): Promise<void>;
}

/** Creates the job that reads an uploaded archive into the record, away from the event loop that answers requests. */
export function createUploadJob({ threads, wake, onRead, ...deps }: Deps): JobKind<UploadJob> {
  const turns = createUploadTurns(deps);
  return {
    kind: UPLOAD_JOB,
    maxAttempts: 5,
    delaySeconds: (attempt) => 5 * 2 ** attempt,
    async run(upload, signal) {
      deps.db.capacity.require('uploads');
      await turns.take(upload.patientId, (turnMs) =>
        threads.run({ kind: UPLOAD_JOB, payload: { ...upload, turnMs } }, signal),
      );
      wake();
      await onRead(upload.patientId);
    },
    async onDeadLetter(upload) {
      await failBatch(deps, upload);
      wake();
    },
  };
}

/** Ends a batch that could not be read, so that the next one of the record can be. */
export const failBatch = (
  deps: CompleteBatchDeps,
  upload: UploadJob,
  why: Rejection = FAILED,
): Promise<void> =>
  completeBatch(deps, upload, { status: 'failed', report: createArchiveReport([why]), result: null });

const FAILED: Rejection = {
  path: '',
  code: 'processing_failed',
  message: 'The archive could not be processed; please upload it again.',
};
