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
  /** The organization and the host of its source, by which syncs have their share: a slow server may be several sources. */
  server: string;
}

type SyncRequest = Omit<SyncJob, 'server'> & { baseUrl: string };

interface Deps {
  jobs: Jobs;
  clock: Clock;
}

/** Requests the sync of one patient's record from one source; one that waits or runs is not started twice. */
export async function requestSync(
  tx: Tx,
  { jobs, clock }: Deps,
  { baseUrl, ...request }: SyncRequest,
): Promise<void> {
  const now = clock.now();
  const job = { kind: SYNC_JOB, uniqueKey: formatSyncKey(request) };
  const before = await maybeOne(tx, lockSync(request));
  await tx.query(upsertSyncRequest(request, { organizationId: request.organizationId, now }));
  const isInProgress = before?.state === 'waiting' || before?.state === 'running';
  if (isInProgress) await expediteJob(tx, job, now);
  // The job of a sync that has ended may still exist, about to be deleted or a dead letter, and would prevent a new one.
  else await cancelJob(tx, job);
  const server = `${request.organizationId} ${new URL(baseUrl).host}`;
  await jobs.enqueue<SyncJob>(tx, { ...job, payload: { ...request, server } });
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
  for (const source of await tx.query(selectActiveSources(patientId, projectId)))
    await requestSync(tx, deps, {
      organizationId: source.organization_id,
      sourceId: source.source_id,
      baseUrl: source.base_url,
      patientId,
    });
}
