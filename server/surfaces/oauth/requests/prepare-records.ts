import type { AuthorizationRequestId, PatientId, ProjectId } from '../../../../contract/brands.ts';
import { Reschedule, type JobKind } from '../../../platform/jobs/job-kind.ts';
import { createSemaphore } from '../../../platform/kernel/semaphore.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { maybeOne, type Db } from '../../../platform/db/db.ts';
import { REQUEST_LIFETIME_MS } from './begin-authorization.ts';
import { UPLOADS, type RecordSource, type RecordSources, type SourceProgress } from './record-sources.ts';
import { updateProgress, selectRequestById } from './requests.sql.ts';

export const PREPARE_JOB = 'oauth.prepare';

export interface PrepareJob {
  requestId: AuthorizationRequestId;
}

interface Deps {
  db: Db;
  clock: Clock;
  sources: RecordSources;
  /** After as long a source is told as failed; it does not keep the patient from going on. */
  sourceTimeoutMs?: number;
}

const POLL_INTERVAL_MS = 500;

/** The request is no longer being processed: somebody else finished it, or it was purged. */
class Superseded extends Error {}

/** Fetches and waits for a patient's records, then lets the request go on. The code can be minted only after it. */
export function createPrepareJob(deps: Deps): JobKind<PrepareJob> {
  return {
    kind: PREPARE_JOB,
    maxAttempts: 20,
    delaySeconds: (attempt) => Math.min(2 ** attempt, 60),
    async run({ requestId }, signal) {
      const request = await maybeOne(deps.db, selectRequestById(requestId));
      if (request?.status !== 'processing' || !request.patient_id) return;
      const progress = JSON.parse(request.progress ?? '[]') as SourceProgress[];
      const { patient_id: patientId, project_id: projectId } = request;
      await prepare(deps, { requestId, patientId, projectId, progress, signal }).catch((error: unknown) => {
        if (!(error instanceof Superseded)) throw error;
      });
    },
  };
}

interface Preparation {
  requestId: AuthorizationRequestId;
  patientId: PatientId;
  projectId: ProjectId;
  progress: SourceProgress[];
  signal: AbortSignal;
}

async function prepare(deps: Deps, preparation: Preparation): Promise<void> {
  const { patientId, projectId, progress } = preparation;
  const connected = await deps.sources.listConnected(patientId, projectId);
  const pendingSteps = progress.filter(
    ({ source, state }) => source !== UPLOADS && state !== 'done' && state !== 'failed',
  );
  // One after another, so that an older state never overwrites a newer one.
  const writes = createSemaphore(1);
  const reportProgress = (): Promise<void> => writes.run(() => saveProgress(deps, preparation, 'processing'));
  await Promise.all(
    pendingSteps.map(async (step) => {
      step.state = 'running';
      await reportProgress();
      const source = connected.find(({ name }) => name === step.source);
      step.state = source ? await fetchSource(deps, source, preparation.signal) : 'done';
      await reportProgress();
    }),
  );
  const uploads = progress.find(({ source }) => source === UPLOADS);
  if (uploads && (await deps.sources.hasUploadsInFlight(patientId))) {
    uploads.state = 'running';
    await reportProgress();
    throw new Reschedule(POLL_INTERVAL_MS);
  }
  if (uploads) uploads.state = 'done';
  await saveProgress(deps, preparation, 'ready');
}

async function fetchSource(
  { sourceTimeoutMs = 120_000 }: Deps,
  source: RecordSource,
  stopSignal: AbortSignal,
): Promise<'done' | 'failed'> {
  const signal = AbortSignal.any([stopSignal, AbortSignal.timeout(sourceTimeoutMs)]);
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  try {
    await Promise.race([source.fetch(signal), aborted]);
    return 'done';
  } catch {
    // When the process stops, the source was not at fault: another attempt asks it again.
    stopSignal.throwIfAborted();
    return 'failed';
  }
}

/** Also moves the request's end on: however long it takes, the patient has an hour from the last step. */
async function saveProgress(
  { db, clock }: Deps,
  { requestId, progress }: Preparation,
  status: 'processing' | 'ready',
): Promise<void> {
  const expiresAt = new Date(clock.now().getTime() + REQUEST_LIFETIME_MS);
  const update = { requestId, status, progress: JSON.stringify(progress), expiresAt };
  if (!(await maybeOne(db, updateProgress(update)))) throw new Superseded();
}

/** What there is to wait for, as the patient's page shows it from the start; nothing to wait for is no step at all. */
export async function planProgress(
  sources: RecordSources,
  patientId: PatientId,
  projectId: ProjectId,
): Promise<SourceProgress[]> {
  const [hasUploads, connected] = await Promise.all([
    sources.hasUploadsInFlight(patientId),
    sources.listConnected(patientId, projectId),
  ]);
  const names = [...(hasUploads ? [UPLOADS] : []), ...connected.map(({ name }) => name)];
  return names.map((source) => ({ source, state: 'waiting' }));
}
