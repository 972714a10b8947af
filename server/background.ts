import { purgeAccounts } from './accounts/purge-accounts.ts';
import { sealAll } from './audit/seal.ts';
import { purgeCounts } from './auth/stored-limiter.ts';
import type { SigningKeys } from './auth/signing-keys.ts';
import type { Config } from './config.ts';
import { receiptMailJob } from './consent/receipts/receipt-mail.ts';
import { tellRecordUpdated } from './consent/tell-record-updated.ts';
import type { Egress } from './egress/egress.ts';
import { importThreads } from './import-threads.ts';
import { purgeVersions } from './fhir/purge-versions.ts';
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
import type { Deliveries } from './webhooks/deliveries.ts';
import type { Emit } from './webhooks/emit.ts';

interface Deps {
  emit: Emit;
  deliveries: Deliveries;
  config: Config;
  db: Db;
  clock: Clock;
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

/** All work that no request waits for. */
export function backgroundWorker(deps: Deps): JobWorker {
  const { config, db, clock, keys, sources, emit, deliveries, onError } = deps;
  const { smtpUrl, mailFrom: from, dataDirectory } = config;
  const send = mailTransport({ smtpUrl, outbox: `${dataDirectory}/outbox`, from });
  const housekeeping = recurring(HOUSEKEEPING_JOB, HOUR_MS, async () => {
    await purgeCounts({ db, clock });
    await purgeAccounts({ db, clock });
    await purgeOAuth({ db, clock });
    await purgeVersions({ db, clock });
  });
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
      {
        // Quick ones: a mail must stand behind nothing that takes long.
        kinds: [
          mailJob(send),
          receiptMailJob({ ...config, db, clock, keys, send }),
          housekeeping,
          recurring(SEAL_JOB, SEAL_MS, (signal) =>
            sealAll({ db, clock, keys, baseUrl: config.baseUrl }, signal),
          ),
        ],
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

/**
 * Each hour, on one of the nodes, what has expired is forgotten; nothing relies on it: it is refused anyway. Every two
 * seconds the audit log is sealed.
 */
export const scheduleHousekeeping = (db: Db, worker: JobWorker): Promise<void> =>
  db.tx(async (tx) => {
    for (const kind of [HOUSEKEEPING_JOB, SEAL_JOB])
      await worker.enqueue(tx, { kind, uniqueKey: 'all', payload: {} });
  });
