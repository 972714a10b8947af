import { purgeAccounts } from './accounts/purge-accounts.ts';
import { purgeCounts } from './auth/stored-limiter.ts';
import type { Config } from './config.ts';
import { recurring } from './jobs/recurring.ts';
import { workerCrews } from './jobs/worker-crews.ts';
import type { JobWorker } from './jobs/worker.ts';
import type { Clock } from './kernel/clock.ts';
import { mailJob } from './mail/mail.ts';
import { prepareJob } from './oauth/requests/prepare-records.ts';
import { purgeOAuth } from './oauth/purge-oauth.ts';
import type { RecordSources } from './oauth/requests/record-sources.ts';
import { indexEntries } from './search/index-entries.ts';
import type { Db } from './storage/db.ts';
import { uploadJob } from './uploads/process-upload.ts';

interface Deps {
  config: Config;
  db: Db;
  clock: Clock;
  sources: RecordSources;
  onError(error: unknown, kind: string): void;
}

const HOUR_MS = 3600 * 1000;

const HOUSEKEEPING_JOB = 'housekeeping';

/** All work that no request waits for. */
export function backgroundWorker({ config, db, clock, sources, onError }: Deps): JobWorker {
  const { smtpUrl, mailFrom: from, dataDirectory } = config;
  const housekeeping = recurring(HOUSEKEEPING_JOB, HOUR_MS, async () => {
    await purgeCounts({ db, clock });
    await purgeAccounts({ db, clock });
    await purgeOAuth({ db, clock });
  });
  return workerCrews({ db, clock, onError }, [
    { kinds: [uploadJob({ db, clock, index: indexEntries })], concurrency: 2 },
    {
      // Quick ones, and ones that mostly wait: a mail must not stand behind an archive.
      kinds: [
        mailJob({ smtpUrl, outbox: `${dataDirectory}/outbox`, from }),
        prepareJob({ db, clock, sources }),
        housekeeping,
      ],
      concurrency: 8,
    },
  ]);
}

/** Each hour, on one of the nodes, what has expired is forgotten. Nothing relies on it: it is refused anyway. */
export const scheduleHousekeeping = (db: Db, worker: JobWorker): Promise<void> =>
  db.tx((tx) => worker.enqueue(tx, { kind: HOUSEKEEPING_JOB, uniqueKey: 'all', payload: {} }));
