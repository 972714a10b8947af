import type { AuthorizationRequestId, PatientId, ProjectId } from '../../../../contract/brands.ts';
import type { Interaction } from '../../../../contract/oauth/interaction.ts';
import { Reschedule, type JobKind } from '../../../platform/jobs/job-kind.ts';
import { createSemaphore } from '../../../platform/kernel/semaphore.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { maybeOne, type Db } from '../../../platform/db/db.ts';
import { REQUEST_LIFETIME_MS } from './begin-authorization.ts';
import { updateProgress, selectRequestById } from './requests.sql.ts';

/** A server that a patient's record is fetched from after their consent. */
export interface RecordSource {
  /** The name that the consent page shows. */
  name: string;
  /**
   * Resolves when all resources are stored, or with `later` when the source does not answer and is fetched without the
   * request; rejects when it could not be read. Repeatable.
   */
  fetch(signal: AbortSignal): Promise<'later' | void>;
}

/** What an authorization request waits for after the consent. */
export interface RecordSources {
  /** Whether uploads of the patient are still being processed. */
  hasUploadsInFlight(patientId: PatientId): Promise<boolean>;
  /** Lists the servers that a consent to the project permits to fetch the patient's record from. */
  listConnected(patientId: PatientId, projectId: ProjectId): Promise<RecordSource[]>;
}

/** A step as the consent page shows it. */
export type SourceProgress = Interaction['progress'][number];

/** The name of the patient's own uploads among the sources. */
export const UPLOADS = 'uploads';

export const PREPARE_JOB = 'oauth.prepare';

export interface PrepareJob {
  requestId: AuthorizationRequestId;
}

interface Deps {
  db: Db;
  clock: Clock;
  sources: RecordSources;
  /** After this time a source is left for later, so that it does not block the patient. */
  sourceTimeoutMs?: number;
}

const POLL_INTERVAL_MS = 500;

/** The request is no longer being processed: another worker finished it, or it was purged. */
class Superseded extends Error {}

/** Creates the job that fetches a patient's record and waits for their uploads, then makes the request ready for its code. */
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
    ({ source, state }) => source !== UPLOADS && (state === 'waiting' || state === 'running'),
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
): Promise<'done' | 'later' | 'failed'> {
  const signal = AbortSignal.any([stopSignal, AbortSignal.timeout(sourceTimeoutMs)]);
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  try {
    return (await Promise.race([source.fetch(signal), aborted])) === 'later' ? 'later' : 'done';
  } catch {
    // When the process stops, the source is not at fault: the next attempt fetches it again.
    stopSignal.throwIfAborted();
    return signal.aborted ? 'later' : 'failed';
  }
}

/** Saves the steps and extends the request: however long they take, the patient has an hour from the last one. */
async function saveProgress(
  { db, clock }: Deps,
  { requestId, progress }: Preparation,
  status: 'processing' | 'ready',
): Promise<void> {
  const expiresAt = new Date(clock.now().getTime() + REQUEST_LIFETIME_MS);
  const update = { requestId, status, progress: JSON.stringify(progress), expiresAt };
  if (!(await maybeOne(db, updateProgress(update)))) throw new Superseded();
}

/** Lists the steps to wait for, which the consent page shows from the start; none when there is nothing to wait for. */
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
