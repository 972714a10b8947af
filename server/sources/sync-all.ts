import type { OrganizationId, PatientId, SourceId } from '../../contract/ids.ts';
import type { JobKind } from '../jobs/kinds.ts';
import type { Jobs } from '../jobs/worker.ts';
import type { Clock } from '../kernel/clock.ts';
import { maybeOne, type Db } from '../storage/db.ts';
import { requestSync } from './request-sync.ts';
import { sourceById } from './sources.sql.ts';
import { consentingPatients } from './syncs.sql.ts';

export const SYNC_ALL_JOB = 'source.sync_all';

export interface SyncAllJob {
  organizationId: OrganizationId;
  sourceId: SourceId;
}

interface Deps {
  db: Db;
  clock: Clock;
  jobs: Jobs;
}

/** Patients in one transaction. */
const CHUNK = 200;

const FIRST = '00000000-0000-0000-0000-000000000000';

/** Sets off a sync for everybody who shares with a project of the source. */
export const syncAllJob = ({ db, clock, jobs }: Deps): JobKind<SyncAllJob> => ({
  kind: SYNC_ALL_JOB,
  maxAttempts: 5,
  delaySeconds: (attempt) => 10 * 2 ** attempt,
  async run({ organizationId, sourceId }, signal) {
    const source = await maybeOne(db, sourceById(organizationId, sourceId));
    if (source?.status !== 'active') return;
    for (let after: string | undefined = FIRST; after !== undefined;) {
      signal.throwIfAborted();
      const page = { after, most: CHUNK, now: clock.now() };
      const patients: { patient_id: PatientId }[] = await db.query(consentingPatients(source, page));
      await db.tx(async (tx) => {
        for (const { patient_id: patientId } of patients)
          await requestSync(tx, { jobs, clock }, { organizationId, sourceId, patientId });
      });
      after = patients.at(-1)?.patient_id;
    }
  },
});
