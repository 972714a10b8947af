import { purgeAccounts } from './accounts/purge-accounts.ts';
import type { Audit } from './audit/append.ts';
import { sealAll } from './audit/seal.ts';
import { purgeCounts } from './auth/stored-limiter.ts';
import type { SigningKeys } from './auth/signing-keys.ts';
import type { Config } from './config.ts';
import { receiptMailJob } from './consent/receipts/receipt-mail.ts';
import { tellExpired } from './consent/tell-expired.ts';
import { tellRecordUpdated } from './consent/tell-record-updated.ts';
import type { Egress } from './egress/egress.ts';
import { importThreads } from './import-threads.ts';
import { purgeVersions } from './fhir/purge-versions.ts';
import type { JobKind } from './jobs/kinds.ts';
import { recurring } from './jobs/recurring.ts';
import { jobWorker, type Jobs, type JobWorker } from './jobs/worker.ts';
import type { Clock } from './kernel/clock.ts';
import { mailJob, mailTransport } from './mail/mail.ts';
import { prepareJob } from './oauth/requests/prepare-records.ts';
import { purgeOAuth } from './oauth/purge-oauth.ts';
import type { RecordSources } from './oauth/requests/record-sources.ts';
import { tokenCache } from './sources/credentials.ts';
import type { SourceLimits } from './sources/limits.ts';
import { syncAllJob } from './sources/sync-all.ts';
import { syncJob } from './sources/sync-job.ts';
import type { Db } from './storage/db.ts';
import { uploadJob } from './uploads/upload-job.ts';
import { announceFailing } from './webhooks/upkeep/announce-failing.ts';
import type { Deliveries } from './webhooks/delivery/deliveries.ts';
import type { Emit } from './webhooks/events/emit.ts';
import { forgetWebhookJob } from './webhooks/registration/forget-webhook.ts';
import { pruneWebhookHistory } from './webhooks/upkeep/prune.ts';

interface Deps {
  emit: Emit;
  deliveries: Deliveries;
  config: Config;
  db: Db;
  clock: Clock;
  audit: Audit;
  keys: SigningKeys;
  sources: RecordSources;
  egress: Egress;
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
export function backgroundWorker(deps: Deps): JobWorker {
  const { config, db, clock, keys, sources, emit, deliveries, onError } = deps;
  const { smtpUrl, mailFrom: from, dataDirectory } = config;
  const send = mailTransport({ smtpUrl, outbox: `${dataDirectory}/outbox`, from });
  const threads = importThreads({ db, clock });
  // Jobs that make jobs get to know the worker that they are part of.
  const jobs: Jobs = { enqueue: (tx, job) => crews.enqueue(tx, job) };
  const crews: JobWorker = jobWorker(
    { db, clock, onError },
    [
      { kinds: [uploadJob({ db, clock, threads, tellUpdate: tellRecordUpdated(emit) })], concurrency: 2 },
      // They wait for other people's servers, and hold a page of theirs each.
      {
        kinds: [syncJob({ ...deps, jobs, tokens: tokenCache() }), syncAllJob({ db, clock, jobs })],
        concurrency: 3,
      },
      // They mostly wait, up to two minutes for each source.
      { kinds: [prepareJob({ db, clock, sources })], concurrency: 32 },
      // What was a webhook's may be millions of rows.
      { kinds: [forgetWebhookJob({ db })], concurrency: 1 },
      {
        // Quick ones: a mail must stand behind nothing that takes long.
        kinds: [mailJob(send), receiptMailJob({ ...config, db, clock, keys, send }), ...timers(deps, jobs)],
        concurrency: 8,
      },
    ],
    [deliveries.crew],
  );
  return {
    ...crews,
    async stop() {
      await crews.stop();
      await threads.stop();
    },
  };
}

/** Recurring work, each on one of the nodes at a time. */
const timers = (deps: Deps, jobs: Jobs): JobKind<object>[] => [
  // What it forgets has expired, and is refused anyway: nothing relies on it.
  recurring(HOUSEKEEPING_JOB, HOUR_MS, async (signal) => {
    await purgeCounts(deps);
    await purgeAccounts(deps);
    await purgeOAuth(deps);
    await purgeVersions(deps);
    await pruneWebhookHistory(deps, signal);
  }),
  recurring(SEAL_JOB, SEAL_MS, async (signal) => {
    const sealed = await sealAll({ ...deps, baseUrl: deps.config.baseUrl }, signal);
    return sealed > 0 ? SEAL_MS : SEAL_IDLE_MS;
  }),
  recurring(EXPIRE_JOB, EXPIRE_MS, (signal) => tellExpired(deps, signal)),
  recurring(WATCH_JOB, WATCH_MS, (signal) => {
    const { baseUrl, webhookRetryDelays: retryDelays } = deps.config;
    return announceFailing({ ...deps, jobs, baseUrl, retryDelays }, signal);
  }),
];

/** Sets off what recurs, unless another node did. */
export const scheduleHousekeeping = (db: Db, worker: JobWorker): Promise<void> =>
  db.tx(async (tx) => {
    for (const kind of RECURRING) await worker.enqueue(tx, { kind, uniqueKey: 'all', payload: {} });
  });
