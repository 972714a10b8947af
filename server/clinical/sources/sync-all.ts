import type { OrganizationId, PatientId, SourceId } from '../../../contract/brands.ts';
import type { JobKind } from '../../platform/jobs/job-kind.ts';
import type { Jobs } from '../../platform/jobs/worker.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { maybeOne, type Db } from '../../platform/db/db.ts';
import { requestSync } from './request-sync.ts';
import { selectConsentingPatients } from '../../consent/access/consenting-patients.sql.ts';
import { selectSource, toProjectScope } from './sources.sql.ts';

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

/** Patients per transaction. */
const CHUNK_SIZE = 200;

const NIL_UUID = '00000000-0000-0000-0000-000000000000';

/** Creates the job that requests a sync for each patient who shares with a project of the source. */
export const createSyncAllJob = ({ db, clock, jobs }: Deps): JobKind<SyncAllJob> => ({
  kind: SYNC_ALL_JOB,
  maxAttempts: 5,
  delaySeconds: (attempt) => 10 * 2 ** attempt,
  async run({ organizationId, sourceId }, signal) {
    const source = await maybeOne(db, selectSource({ organizationId, projectIds: null }, sourceId));
    if (source?.status !== 'active') return;
    for (let after: string | undefined = NIL_UUID; after !== undefined;) {
      signal.throwIfAborted();
      const page = { after, limit: CHUNK_SIZE, now: clock.now() };
      const patients: { patient_id: PatientId }[] = await db.query(
        selectConsentingPatients(toProjectScope(source), page),
      );
      await db.tx(async (tx) => {
        for (const { patient_id: patientId } of patients)
          await requestSync(
            tx,
            { jobs, clock },
            { organizationId, sourceId, patientId, baseUrl: source.base_url },
          );
      });
      after = patients.at(-1)?.patient_id;
    }
  },
});
