import type { OrganizationId, PatientId, ProjectId, SourceId } from '../../../contract/brands.ts';
import { cancelJob, expediteJob } from '../../platform/jobs/jobs.ts';
import type { Jobs } from '../../platform/jobs/worker.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { maybeOne, type Tx } from '../../platform/db/db.ts';
import { selectActiveSources } from './sources.sql.ts';
import { lockSync, upsertSyncRequest } from './syncs.sql.ts';

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
  const job = { kind: SYNC_JOB, uniqueKey: `${request.sourceId} ${request.patientId}` };
  const before = await maybeOne(tx, lockSync(request));
  await tx.query(upsertSyncRequest(request, { organizationId: request.organizationId, now }));
  const isInProgress = before?.state === 'waiting' || before?.state === 'running';
  if (isInProgress) await expediteJob(tx, job, now);
  // The job of a sync that has ended may be there still, about to be deleted or a dead letter, and would prevent a new one.
  else await cancelJob(tx, job);
  await jobs.enqueue<SyncJob>(tx, { ...job, payload: request });
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
