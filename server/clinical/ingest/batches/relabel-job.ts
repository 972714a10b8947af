import type { PatientId } from '../../../../contract/brands.ts';
import { Reschedule, type JobKind } from '../../../platform/jobs/job-kind.ts';
import { one, type Db } from '../../../platform/db/db.ts';
import type { UploadJob } from './batch-line.ts';
import { selectUploadsInFlight } from './uploads.sql.ts';

export const RELABEL_JOB = 'relabel';

export interface RelabelJob {
  patientId: PatientId;
}

interface Deps {
  db: Db;
  /** Runs `rebuildEntries` in a thread of its own. */
  threads: {
    run(job: { kind: string; payload: RelabelJob | UploadJob }, signal: AbortSignal): Promise<void>;
  };
}

const BUSY_RETRY_MS = 1_000;

const SETTLED_CODES: readonly unknown[] = ['patient_gone', 'labeling_overtaken'];

/** A record that was deleted meanwhile needs no labels, and where another run has begun it labels all of the record. */
export const isSettled = (error: unknown): boolean =>
  SETTLED_CODES.includes((error as { code?: unknown }).code);

/** Creates the job that labels a record anew after its patient's statement about a document. It waits for running uploads. */
export const createRelabelJob = ({ db, threads }: Deps): JobKind<RelabelJob> => ({
  kind: RELABEL_JOB,
  maxAttempts: 5,
  delaySeconds: (attempt) => 5 * 2 ** attempt,
  async run(payload, signal) {
    db.capacity.require('uploads');
    if ((await one(db, selectUploadsInFlight(payload.patientId))).in_flight)
      throw new Reschedule(BUSY_RETRY_MS);
    await threads.run({ kind: RELABEL_JOB, payload }, signal).catch((error: unknown) => {
      if (!isSettled(error)) throw error;
    });
  },
});
