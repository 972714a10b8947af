import type { PatientId } from '../../../../contract/brands.ts';
import { one, type Db, type Queryable } from '../../../platform/db/db.ts';
import { Reschedule, type JobKind } from '../../../platform/jobs/job-kind.ts';
import { createRecurringJob } from '../../../platform/jobs/recurring-job.ts';
import { readMonotonicMs } from '../../../platform/kernel/clock.ts';
import { READING_VERSION } from '../../store/reading-version.ts';
import { findRecordReadBefore } from '../../store/records.sql.ts';
import { isPatientGone } from '../import/write-page.ts';
import { RELABEL_JOB, type RelabelJob } from './relabel-job.ts';
import { selectUploadsInFlight } from './uploads.sql.ts';

const REREAD_JOB = 'record.reread';
const HOUR_MS = 3_600_000;
const FIRST = '00000000-0000-0000-0000-000000000000' as PatientId;

interface Deps {
  db: Db;
  /** Runs `rebuildEntries` in a thread of its own. */
  threads: {
    run(job: { kind: string; payload: RelabelJob }, signal: AbortSignal): Promise<void>;
  };
  onError(error: unknown, kind: string): void;
}

/**
 * Creates the job that reads anew what earlier rules have read: a record at a time, behind the uploads that wait, and then as long a
 * rest as it took. A record that fails, or is being written, has its next turn an hour later. A start begins at once: the turn was set by
 * the program before, which found nothing to do; should one that still runs take it, it finds nothing, and sets the next.
 */
export function createRereadJob({ db, threads, onError }: Deps): JobKind<object> {
  let after = FIRST;
  const job = createRecurringJob(REREAD_JOB, HOUR_MS, async (signal) => {
    db.capacity.require('uploads');
    const [next] = await db.query(findRecordReadBefore(after, READING_VERSION));
    after = next?.patient_id ?? FIRST;
    if (next === undefined) return HOUR_MS;
    const beganAt = readMonotonicMs();
    const { patient_id: patientId } = next;
    if ((await one(db, selectUploadsInFlight(patientId))).in_flight) return 0;
    await threads.run({ kind: RELABEL_JOB, payload: { patientId } }, signal).catch((error: unknown) => {
      signal.throwIfAborted();
      if (!isPatientGone(error) && !(error instanceof Reschedule)) onError(error, REREAD_JOB);
    });
    return readMonotonicMs() - beganAt;
  });
  const hasWork = async (on: Queryable): Promise<boolean> =>
    (await on.query(findRecordReadBefore(FIRST, READING_VERSION))).length > 0;
  return { ...job, hasWork };
}
