import { createService, type Service } from './app.ts';
import { sealAll } from './platform/audit/seal.ts';
import { listenForSnapshots, type SnapshotServer } from './platform/backup/snapshot-socket.ts';
import type { SecretState } from './platform/keys/secret-seal.ts';
import { createSigningKeys } from './platform/keys/signing-keys.ts';
import { describeFolderFault } from './check-environment.ts';
import { ConfigurationError, type Config } from './config.ts';
import { readMonotonicMs, systemClock } from './platform/kernel/clock.ts';
import { NoStoreError } from './platform/db/existing-store.ts';
import { SchemaError } from './platform/db/migrate.ts';
import { restrictNewFiles } from './platform/kernel/private-folder.ts';
import { withDeadline } from './platform/kernel/with-deadline.ts';
import { describeStoreError, findDatabaseFault } from './platform/db/database-fault.ts';
import { EngineStartError } from './platform/db/embedded.ts';
import { DirectoryInUseError } from './platform/db/directory-lock.ts';
import { describeFullDisk, findDiskFault } from './platform/db/disk-space.ts';
import { one, type Db } from './platform/db/db.ts';
import { hasObjects } from './platform/objects/objects.sql.ts';
import { listen, listenForConfiguredMetrics } from './listen.ts';
import type { MetricsServer } from './platform/http/metrics-server.ts';
import { findDanglingIds } from './identity/organizations/find-dangling-ids.ts';
import { openDb, openExistingDb, openStore, type DbOptions } from './platform/db/open.ts';
import { describeSchemaChange, NO_CHANGE, type SchemaChange } from './platform/db/schema-state.ts';
import { findPoolerFault } from './platform/db/pooler-fault.ts';
import { describeCapacity, reportCapacity, type CapacityReport } from './report-capacity.ts';
import { describeSecrets } from './startup-report.ts';
import type { Telemetry } from './platform/telemetry/telemetry.ts';
import { READING_VERSION } from './clinical/store/reading-version.ts';
import { countRecordsReadBefore } from './clinical/store/records.sql.ts';
import { sweepTemporaryFolders } from './clinical/ingest/archive/temporary-folder.ts';

export interface RunningService extends Service {
  db: Db;
  /** Where it listens, `http://127.0.0.1:3000`. */
  address: string;
  /** Where metrics have a port of their own; null: nowhere. */
  metricsAddress: string | null;
  /** What became of the schema as the store was opened. */
  schema: SchemaChange;
  /** How the secrets of the store are stored. */
  secrets: Record<SecretState, number>;
  /** Sentences about what does not work as it is set, and is no reason not to serve. */
  warnings: readonly string[];
  /** Resolves when all is made that first requests would wait for. */
  prepared: Promise<void>;
  stop(): Promise<void>;
}

const SEAL_TIMEOUT_MS = 2000;

/**
 * By when the steps of a stop have ended, milliseconds from its beginning: requests are cut off before (`STOP_LIMITS`), jobs
 * are left to their leases. Process managers kill after 30 seconds.
 */
const JOBS_ENDED_MS = 24_000;
const STORE_CLOSED_MS = 28_000;

/** How a store is opened, created where it is to be and there is none; `db/open.ts` says more. */
const OPEN = {
  migrated: openDb,
  'as it is': openStore,
  'existing, current': (options: DbOptions) => openExistingDb(options, { isCurrent: true }),
  'existing, as it is': (options: DbOptions) => openExistingDb(options, { isCurrent: false }),
};

/** Opens the configured store. When the embedded engine dies the process ends at once (fail-stop). */
export async function openConfiguredDb(
  { db: options }: Config,
  how: keyof typeof OPEN = 'migrated',
  onMigrated?: (change: SchemaChange) => void,
): Promise<Db> {
  const onFatal = (error: Error): void => {
    const disk = describeFullDisk(options.dataDirectory);
    const what = `${error.message}; stopping so that nothing is acknowledged that is not stored`;
    process.stderr.write(`chartgate: ${what}${disk === null ? '' : `; ${disk}`}\n`);
    process.exit(70);
  };
  const poolerFault = options.databaseUrl === undefined ? null : await findPoolerFault(options.databaseUrl);
  if (poolerFault !== null) throw new ConfigurationError([poolerFault]);
  try {
    return await OPEN[how]({ ...options, onFatal, ...(onMigrated && { onMigrated }) });
  } catch (error) {
    const fault = await findStoreFault(error, options);
    throw fault === null ? error : new ConfigurationError([fault]);
  }
}

/** Returns which setting led to a store that does not open, in a sentence; null where none did. */
async function findStoreFault(
  error: unknown,
  { databaseUrl, dataDirectory }: Config['db'],
): Promise<string | null> {
  const folderFault = describeFolderFault(error);
  if (folderFault !== null) return folderFault;
  const isExplained = [SchemaError, NoStoreError, DirectoryInUseError].some((each) => error instanceof each);
  if (isExplained) return null;
  if (databaseUrl !== undefined)
    return (await findDatabaseFault(databaseUrl)) ?? describeStoreError(databaseUrl, error);
  const fault = findDiskFault(dataDirectory);
  if (fault !== null) return `CHARTGATE_DATA_DIR must have space: ${fault}`;
  return error instanceof EngineStartError
    ? `CHARTGATE_DATA_DIR must hold a store that can be opened: ${error.directory} cannot (${error.message}); where it is damaged, restore a backup into an empty folder`
    : null;
}

/** Starts the service; `stop` lets running requests and jobs end first. A fault of the database is said with its cause. */
export async function run(config: Config): Promise<RunningService> {
  const { databaseUrl } = config.db;
  try {
    return await start(config);
  } catch (error) {
    const fault = databaseUrl === undefined ? null : describeStoreError(databaseUrl, error);
    throw fault === null ? error : new ConfigurationError([fault]);
  }
}

/** Opens the store, listens, and starts the worker. */
async function start(config: Config): Promise<RunningService> {
  restrictNewFiles();
  let schema = NO_CHANGE;
  const db = await openConfiguredDb(config, 'migrated', (change) => void (schema = change));
  const warnings = await closeOnError(db, async () => {
    await requireObjectStore(db, config);
    return [...(await checkNamedIds(db, config)), ...(await findOlderReading(db))];
  });
  const telemetry = await startTelemetry(config);
  const service = createService({ config, db, clock: systemClock, guardsClock: true, telemetry });
  let metrics: MetricsServer | null = null;
  let snapshots: SnapshotServer | null = null;
  let capacity: CapacityReport | null = null;
  const stop = async (): Promise<void> => {
    const stepUntil = createSteps((error) =>
      service.app.log.error({ err: error }, 'stopped before all had ended'),
    );
    capacity?.close();
    const snapshotsClosed = snapshots?.close();
    await metrics?.close();
    await service.app.close();
    await stepUntil(JOBS_ENDED_MS, Promise.all([snapshotsClosed, service.worker.stop()]));
    const keys = createSigningKeys({ db, clock: systemClock });
    const sealDeps = { db, clock: systemClock, keys, baseUrl: config.http.baseUrl };
    // Entries that are not sealed now are sealed at the next start.
    await sealAll(sealDeps, AbortSignal.timeout(SEAL_TIMEOUT_MS)).catch(() => {});
    await stepUntil(STORE_CLOSED_MS, db.close());
    await stepUntil(STORE_CLOSED_MS, telemetry?.shutdown());
  };
  try {
    const { host, port } = config.http;
    const address = await listen(() => service.app.listen({ port, host }), `PORT ${port}`);
    metrics = await listenForConfiguredMetrics(config, service.metrics);
    if (db.snapshot) snapshots = await listenForSnapshots(config.db.dataDirectory, db.snapshot);
    await sweepTemporaryFolders();
    await service.worker.start();
    await service.worker.enqueueRecurringJobs();
    const secrets = await service.worker.countSecrets();
    logStart(service, { config, schema, secrets, warnings });
    capacity = reportCapacity(db.capacity, { db: config.db, log: service.app.log });
    const prepared = service.worker.prepare();
    const metricsAddress = metrics?.address ?? null;
    const space = describeCapacity(db.capacity.level(), config.db);
    const all = space === null ? warnings : [space, ...warnings];
    return { ...service, db, schema, address, metricsAddress, secrets, warnings: all, prepared, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Logs what the report of the start says, for who reads the log alone. */
function logStart(
  { app: { log } }: Service,
  {
    config,
    schema,
    secrets,
    warnings,
  }: Pick<RunningService, 'schema' | 'secrets' | 'warnings'> & { config: Config },
): void {
  const { applied } = schema;
  if (applied.length > 0) log.info({ applied }, `the schema of the store: ${describeSchemaChange(schema)}`);
  if (secrets.unknown > 0) log.warn(describeSecrets(config.secrets, secrets));
  for (const warning of warnings) log.warn(warning);
}

/** Returns a function that waits for a step of a stop up to so many milliseconds from now: the next one has its turn anyway. */
function createSteps(
  onError: (error: unknown) => void,
): (endsMs: number, step: Promise<unknown> | undefined) => Promise<void> {
  const beganAt = readMonotonicMs();
  return async (endsMs, step = Promise.resolve()) => {
    const leftMs = Math.max(0, endsMs - (readMonotonicMs() - beganAt));
    await withDeadline(leftMs, step).catch(onError);
  };
}

/** Refuses to serve without the object store that files are in: to people they would be gone. */
async function requireObjectStore(db: Db, { objectStore }: Pick<Config, 'objectStore'>): Promise<void> {
  if (objectStore !== null || !(await one(db, hasObjects())).found) return;
  throw new ConfigurationError([
    'CHARTGATE_OBJECT_STORE_URL must be set: originals or pictures of decisions are in an object store. ' +
      'To keep them in the database, set CHARTGATE_OBJECT_STORE_WRITES to 0 and run "chartgate objects move" first',
  ]);
}

/**
 * Refuses a setting that names a project or an organization which is not there, and whose surface would answer nobody. Where there is
 * none at all yet, it may come: returns a sentence about it.
 */
async function checkNamedIds(db: Db, config: Config): Promise<string[]> {
  const { settings, isNew } = await findDanglingIds(db, config);
  if (settings.length > 0 && !isNew)
    throw new ConfigurationError(
      settings.map((name) => `${name} must be an id that is in the store: there is nothing of this id`),
    );
  return settings.map(
    (name) => `${name} names what is not in the store yet; until then nothing answers there`,
  );
}

/** Returns a sentence where records are served as earlier rules have read them: with labels of protected classes that are too few, perhaps. */
async function findOlderReading(db: Db): Promise<string[]> {
  const { count } = await one(db, countRecordsReadBefore(READING_VERSION));
  return count === 0
    ? []
    : [
        `${count} records were read by the rules of an earlier version, and are read anew one after another; "chartgate reindex" does it at once`,
      ];
}

async function closeOnError<T>(db: Db, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** Loads OpenTelemetry only where a collector is configured: a start would take longer, and every call cost more. */
async function startTelemetry({ telemetry }: Pick<Config, 'telemetry'>): Promise<Telemetry | null> {
  if (telemetry === null) return null;
  const { openTelemetry } = await import('./platform/telemetry/open-telemetry.ts');
  return openTelemetry(telemetry);
}
