import { purgeExpiredAccountData } from './identity/accounts/purge-expired.ts';
import type { Audit } from './platform/audit/append.ts';
import { sealAll } from './platform/audit/seal.ts';
import { purgeCounts } from './identity/tokens/stored-limiter.ts';
import type { SigningKeys } from './platform/keys/signing-keys.ts';
import type { Config } from './config.ts';
import { createReceiptMailJob } from './consent/receipts/receipt-mail.ts';
import { emitExpiryEvents } from './consent/decisions/expiry-events.ts';
import { createRecordsUpdatedEmitter } from './consent/decisions/records-updated-event.ts';
import type { OutboundClient } from './platform/outbound/outbound-client.ts';
import { createImportThreads } from './import-threads.ts';
import { purgeVersions } from './surfaces/fhir/purge-versions.ts';
import type { JobKind } from './platform/jobs/job-kind.ts';
import { createRecurringJob } from './platform/jobs/recurring-job.ts';
import { createJobWorker, type Jobs, type JobWorker } from './platform/jobs/worker.ts';
import type { Clock } from './platform/kernel/clock.ts';
import { createMailJob, createMailTransport } from './platform/mail/mail.ts';
import { createPrepareJob } from './surfaces/oauth/requests/prepare-records.ts';
import { purgeOAuth } from './surfaces/oauth/purge-oauth.ts';
import type { RecordSources } from './surfaces/oauth/requests/record-sources.ts';
import { createTokenCache } from './clinical/sources/credentials.ts';
import type { SourceLimits } from './clinical/sources/limits.ts';
import { createSyncAllJob } from './clinical/sources/sync-all.ts';
import { createSyncJob } from './clinical/sources/sync-job.ts';
import type { Db } from './platform/db/db.ts';
import { createUploadJob } from './clinical/ingest/batches/upload-job.ts';
import { announceFailing } from './surfaces/webhooks/maintenance/announce-failing.ts';
import type { DeliveryDispatcher } from './surfaces/webhooks/delivery/delivery-dispatcher.ts';
import type { Emit } from './consent/decisions/emit.ts';
import { createPurgeWebhookJob } from './surfaces/webhooks/registration/purge-webhook.ts';
import { pruneWebhookHistory } from './surfaces/webhooks/maintenance/prune.ts';

interface Deps {
  emit: Emit;
  deliveries: DeliveryDispatcher;
  config: Config;
  db: Db;
  clock: Clock;
  audit: Audit;
  keys: SigningKeys;
  sources: RecordSources;
  outbound: OutboundClient;
  /** Of connected sources. */
  allowPrivate: boolean;
  limits: SourceLimits;
  onError(error: unknown, kind: string): void;
}

const HOUR_MS = 3600 * 1000;

const HOUSEKEEPING_JOB = 'housekeeping';

const SEAL_JOB = 'audit.seal';
const SEAL_MS = 2000;
/** After it has sealed nothing: an idle service looks less often. */
const SEAL_IDLE_MS = 6000;

const EXPIRE_JOB = 'consent.expire';
const EXPIRE_MS = 30_000;

const WATCH_JOB = 'webhook.watch';
const WATCH_MS = 60_000;

const RECURRING = [HOUSEKEEPING_JOB, SEAL_JOB, EXPIRE_JOB, WATCH_JOB];

/** All work that no request waits for. */
export function createBackgroundWorker(deps: Deps): JobWorker {
  const { config, db, clock, keys, sources, emit, deliveries, onError } = deps;
  const { smtpUrl, mailFrom: from, dataDirectory } = config;
  const send = createMailTransport({ smtpUrl, outbox: `${dataDirectory}/outbox`, from });
  const threads = createImportThreads({ db, clock });
  // Jobs that make jobs get to know the worker that they are part of.
  const jobs: Jobs = { enqueue: (tx, job) => worker.enqueue(tx, job) };
  const worker: JobWorker = createJobWorker(
    { db, clock, onError },
    [
      {
        kinds: [createUploadJob({ db, clock, threads, emitUpdate: createRecordsUpdatedEmitter(emit) })],
        concurrency: 2,
      },
      // They wait for other people's servers, and hold a page of theirs each.
      {
        kinds: [
          createSyncJob({ ...deps, jobs, tokens: createTokenCache() }),
          createSyncAllJob({ db, clock, jobs }),
        ],
        concurrency: 3,
      },
      // They mostly wait, up to two minutes for each source.
      { kinds: [createPrepareJob({ db, clock, sources })], concurrency: 32 },
      // What was a webhook's may be millions of rows.
      { kinds: [createPurgeWebhookJob({ db })], concurrency: 1 },
      {
        // Quick ones: a mail must stand behind nothing that takes long.
        kinds: [
          createMailJob(send),
          createReceiptMailJob({ ...config, db, clock, keys, send }),
          ...createRecurringJobs(deps, jobs),
        ],
        concurrency: 8,
      },
    ],
    [deliveries.pool],
  );
  return {
    ...worker,
    async stop() {
      await worker.stop();
      await threads.stop();
    },
  };
}

/** Recurring work, each on one of the nodes at a time. */
const createRecurringJobs = (deps: Deps, jobs: Jobs): JobKind<object>[] => [
  // What it forgets has expired, and is refused anyway: nothing relies on it.
  createRecurringJob(HOUSEKEEPING_JOB, HOUR_MS, async (signal) => {
    await purgeCounts(deps);
    await purgeExpiredAccountData(deps);
    await purgeOAuth(deps);
    await purgeVersions(deps);
    await pruneWebhookHistory(deps, signal);
  }),
  createRecurringJob(SEAL_JOB, SEAL_MS, async (signal) => {
    const sealed = await sealAll({ ...deps, baseUrl: deps.config.baseUrl }, signal);
    return sealed > 0 ? SEAL_MS : SEAL_IDLE_MS;
  }),
  createRecurringJob(EXPIRE_JOB, EXPIRE_MS, (signal) => emitExpiryEvents(deps, signal)),
  createRecurringJob(WATCH_JOB, WATCH_MS, (signal) => {
    const { baseUrl, webhookRetryDelays: retryDelays } = deps.config;
    return announceFailing({ ...deps, jobs, baseUrl, retryDelays }, signal);
  }),
];

/** Sets off what recurs, unless another node did. */
export const enqueueRecurringJobs = (db: Db, worker: JobWorker): Promise<void> =>
  db.tx(async (tx) => {
    for (const kind of RECURRING) await worker.enqueue(tx, { kind, uniqueKey: 'all', payload: {} });
  });
