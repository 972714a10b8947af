import { maybeOne, type Db } from '../../platform/db/db.ts';
import type { Jobs } from '../../platform/jobs/worker.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { eraseNow, removePatient } from './delete-patient.ts';
import { findUnusedPersons, lockUnusedPerson } from './purge-unused.sql.ts';

/** Somebody whose enrollment was ended by mistake is the same person when enrolled again until then. */
const KEPT_MS = 30 * 24 * 60 * 60_000;
const AT_ONCE = 100;

interface Deps {
  db: Db;
  clock: Clock;
  jobs: Jobs;
}

/**
 * Deletes the name, address, day of birth and telephone numbers that an organization wrote of somebody whose last enrollment ended
 * a month ago, and who never came and has no account: they cannot do it themselves. That they were enrolled stays listed.
 */
export async function purgeUnusedPersons({ db, clock, jobs }: Deps, signal: AbortSignal): Promise<void> {
  const now = clock.now();
  for (;;) {
    const unused = await db.query(findUnusedPersons(new Date(now.getTime() - KEPT_MS), AT_ONCE));
    for (const { patient_id: patientId } of unused) {
      signal.throwIfAborted();
      const isDeleted = await db.tx(async (tx) => {
        // A second statement, which sees what the lock waited for.
        await tx.query(lockUnusedPerson(patientId));
        if (!(await maybeOne(tx, lockUnusedPerson(patientId)))) return false;
        await removePatient(tx, jobs, { patientId, keepEvidence: true, now });
        return true;
      });
      if (isDeleted) await eraseNow(db, patientId);
    }
    if (unused.length < AT_ONCE) return;
  }
}
