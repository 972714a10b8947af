import type { PatientId } from '../../../../contract/brands.ts';
import { Reschedule } from '../../../platform/jobs/job-kind.ts';
import { hasDueJob } from '../../../platform/jobs/jobs.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { maybeOne, type Db } from '../../../platform/db/db.ts';
import { UPLOAD_JOB } from './batch-line.ts';
import { findConversionTime } from './conversion-time.sql.ts';

/** Milliseconds of conversion after which an archive waits behind those of other patients. */
export const TURN_MS = 60_000;

/** How long an archive that waits behind others waits until it looks again. */
const LATER_MS = 5_000;

export interface UploadTurns {
  /**
   * Reads an archive: for a turn of conversion, where its patient has not used one in this hour; else to its end, when no
   * other archive waits and no other takes so long. Throws Reschedule when it is too early.
   */
  take(patientId: PatientId, read: (turnMs: number | null) => Promise<void>): Promise<void>;
}

/** Keeps archives whose documents take minutes from holding all threads of this node. */
export function createUploadTurns({ db, clock }: { db: Db; clock: Clock }): UploadTurns {
  let longTurns = 0;
  return {
    async take(patientId, read) {
      const used = await maybeOne(db, findConversionTime(patientId, clock.now()));
      if ((used?.used_ms ?? 0) < TURN_MS) return read(TURN_MS);
      const othersWait = await hasDueJob(db, UPLOAD_JOB, clock.now());
      if (othersWait || longTurns > 0) throw new Reschedule(LATER_MS);
      longTurns++;
      try {
        await read(null);
      } finally {
        longTurns--;
      }
    },
  };
}
