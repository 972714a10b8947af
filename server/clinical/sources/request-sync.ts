import type { OrganizationId, PatientId, ProjectId, SourceId } from '../../../contract/brands.ts';
import { cancelJob, expediteJob } from '../../platform/jobs/jobs.ts';
import type { Jobs } from '../../platform/jobs/worker.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { maybeOne, type Tx } from '../../platform/db/db.ts';
import { selectActiveSources } from './sources.sql.ts';
import { formatSyncKey, lockSync, SYNC_JOB, upsertSyncRequest } from './syncs.sql.ts';

export interface SyncJob {
  organizationId: OrganizationId;
  sourceId: SourceId;
  patientId: PatientId;
}

interface Deps {
  jobs: Jobs;
  clock: Clock;
}

/** Requests the sync of one patient's record from one source; one that waits or runs is not started twice. */
export async function requestSync(tx: Tx, { jobs, clock }: Deps, request: SyncJob): Promise<void> {
  const now = clock.now();
  const job = { kind: SYNC_JOB, uniqueKey: formatSyncKey(request) };
  const before = await maybeOne(tx, lockSync(request));
  await tx.query(upsertSyncRequest(request, { organizationId: request.organizationId, now }));
  const isInProgress = before?.state === 'waiting' || before?.state === 'running';
  if (isInProgress) await expediteJob(tx, job, now);
  // The job of a sync that has ended may still exist, about to be deleted or a dead letter, and would prevent a new one.
  else await cancelJob(tx, job);
  await jobs.enqueue<SyncJob>(tx, { ...job, payload: request });
}

/**
 * Requests, in the transaction of a consent to a project, the syncs that it permits; app.ts passes this to the consent
 * wing.
 */
export async function requestProjectSyncs(
  tx: Tx,
  deps: Deps,
  { patientId, projectId }: { patientId: PatientId; projectId: ProjectId },
): Promise<void> {
  for (const { organization_id: organizationId, source_id: sourceId } of await tx.query(
    selectActiveSources(patientId, projectId),
  ))
    await requestSync(tx, deps, { organizationId, sourceId, patientId });
}
