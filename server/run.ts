import { createService, type Service } from './app.ts';
import { sealAll } from './platform/audit/seal.ts';
import { createSigningKeys } from './platform/keys/signing-keys.ts';
import type { Config } from './config.ts';
import { systemClock } from './platform/kernel/clock.ts';
import { restrictNewFiles } from './platform/kernel/private-folder.ts';
import type { Db } from './platform/db/db.ts';
import { openDb } from './platform/db/open.ts';
import { sweepTemporaryFolders } from './clinical/ingest/archive/temporary-folder.ts';

export interface RunningService extends Service {
  db: Db;
  /** Where it listens, `http://127.0.0.1:3000`. */
  address: string;
  stop(): Promise<void>;
}

const SEAL_TIMEOUT_MS = 2000;

/** Opens the configured store. When the embedded engine dies the process ends at once (fail-stop). */
export const openConfiguredDb = (config: Config): Promise<Db> =>
  openDb({
    databaseUrl: config.db.databaseUrl,
    dataDirectory: config.db.dataDirectory,
    onFatal: (error) => {
      process.stderr.write(
        `chartgate: ${error.message}; stopping so that nothing is acknowledged that is not stored\n`,
      );
      process.exit(70);
    },
  });

/** Opens the store, listens, and starts the worker; `stop` lets running requests and jobs end first. */
export async function run(config: Config): Promise<RunningService> {
  restrictNewFiles();
  const db = await openConfiguredDb(config);
  const service = createService({ config, db, clock: systemClock });
  const stop = async (): Promise<void> => {
    await service.app.close();
    await service.worker.stop();
    const keys = createSigningKeys({ db, clock: systemClock });
    const sealDeps = { db, clock: systemClock, keys, baseUrl: config.http.baseUrl };
    // Entries that are not sealed now are sealed at the next start.
    await sealAll(sealDeps, AbortSignal.timeout(SEAL_TIMEOUT_MS)).catch(() => {});
    await db.close();
  };
  try {
    const address = await service.app.listen({ port: config.http.port, host: config.http.host });
    await sweepTemporaryFolders();
    await service.worker.start();
    await service.worker.enqueueRecurringJobs();
    return { ...service, db, address, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
