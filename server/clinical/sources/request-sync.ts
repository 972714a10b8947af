import type { OrganizationId, PatientId, ProjectId, SourceId } from '../../../contract/brands.ts';
import type { Jobs } from '../../platform/jobs/worker.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { maybeOne, type Tx } from '../../platform/db/db.ts';
import { selectActiveSources } from './sources.sql.ts';
import { deleteJob, expediteJob, lockSync, upsertSyncRequest } from './syncs.sql.ts';

export const SYNC_JOB = 'source.sync';

export interface SyncJob {
  organizationId: OrganizationId;
  sourceId: SourceId;
  patientId: PatientId;
}

interface Deps {
  jobs: Jobs;
  clock: Clock;
}

/** Sets off the fetching of one patient's record from one source; while it waits or runs, it does not begin twice. */
export async function requestSync(tx: Tx, { jobs, clock }: Deps, request: SyncJob): Promise<void> {
  const now = clock.now();
  const uniqueKey = `${request.sourceId} ${request.patientId}`;
  const before = await maybeOne(tx, lockSync(request));
  await tx.query(upsertSyncRequest(request, { organizationId: request.organizationId, now }));
  const isInProgress = before?.state === 'waiting' || before?.state === 'running';
  // What has ended may have a job yet that is being deleted, or that was given up.
  if (isInProgress) await tx.query(expediteJob(SYNC_JOB, uniqueKey, now));
  else await tx.query(deleteJob(SYNC_JOB, uniqueKey));
  await jobs.enqueue<SyncJob>(tx, { kind: SYNC_JOB, uniqueKey, payload: request });
}

/** For `consent`, which comes before this room: what a consent to a project permits to be fetched, in its transaction. */
export async function requestProjectSyncs(
  tx: Tx,
  deps: Deps,
  { patientId, projectId }: { patientId: PatientId; projectId: ProjectId },
): Promise<void> {
  for (const { organization_id: organizationId, source_id: sourceId } of await tx.query(
    selectActiveSources(projectId),
  ))
    await requestSync(tx, deps, { organizationId, sourceId, patientId });
}
