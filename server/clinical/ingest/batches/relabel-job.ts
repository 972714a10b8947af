import type { PatientId } from '../../../../contract/brands.ts';
import { Reschedule, type JobKind } from '../../../platform/jobs/job-kind.ts';
import { maybeOne, one, type Db } from '../../../platform/db/db.ts';
import { findLabelingState } from '../../store/required-labels.sql.ts';
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
const OTHER_RETRY_MS = 5_000;

/**
 * Creates the job that labels a record anew: after its patient's statement about a document, a removal, or an upload that failed
 * in the middle. It waits for running uploads.
 */
export function createRelabelJob({ db, threads }: Deps): JobKind<RelabelJob> {
  /** The versions of records at which another run began, or was seen to go on. */
  const overtakenAt = new Map<PatientId, number>();
  /** Whether the run that overtook this job's has done its work. It is given time while it writes, and may have been killed. */
  async function isDoneByOther(patientId: PatientId): Promise<boolean> {
    const seen = overtakenAt.get(patientId);
    overtakenAt.delete(patientId);
    const state = await maybeOne(db, findLabelingState(patientId));
    // A record that was deleted meanwhile needs no labels.
    if (state === null) return true;
    if (seen === undefined || state.version === seen) return false;
    if (state.is_labeled) return true;
    overtakenAt.set(patientId, state.version);
    throw new Reschedule(OTHER_RETRY_MS);
  }
  return {
    kind: RELABEL_JOB,
    maxAttempts: 5,
    delaySeconds: (attempt) => 5 * 2 ** attempt,
    async run(payload, signal) {
      const { patientId } = payload;
      db.capacity.require('uploads');
      if ((await one(db, selectUploadsInFlight(patientId))).in_flight) throw new Reschedule(BUSY_RETRY_MS);
      if (await isDoneByOther(patientId)) return;
      await threads.run({ kind: RELABEL_JOB, payload }, signal).catch(async (error: unknown) => {
        // A record that was deleted meanwhile needs no labels.
        const state = await maybeOne(db, findLabelingState(patientId));
        if (state === null) return;
        if (error instanceof Reschedule) overtakenAt.set(patientId, state.version);
        throw error;
      });
    },
  };
}
