import type { Db } from '../../platform/db/db.ts';
import { systemClock } from '../../platform/kernel/clock.ts';
import type { SecretStore } from '../../platform/keys/stored-secrets.ts';
import { checkAddress } from './check-address.ts';
import { checkBackups } from './check-backups.ts';
import { checkIdentityProvider } from './check-identity-provider.ts';
import { checkMailServer } from './check-mail.ts';
import { checkObjectStore } from './check-object-store.ts';
import { checkRecords, checkSchema } from './check-schema.ts';
import { checkSecrets } from './check-secrets.ts';
import { checkSettings } from './check-settings.ts';
import { checkEngine, checkStore } from './check-store.ts';
import type { DeploymentConfig } from './deployment.ts';
import { createFinding, type Finding } from './finding.ts';

export interface Examination {
  config: DeploymentConfig;
  /** null: it belongs to another process. */
  store: { db: Db; secretStores: readonly SecretStore[] } | null;
  /** Walks with a test patient; null: none is wanted. */
  walk: (() => Promise<Finding[]>) | null;
  /** For one of several organizations: nothing of what they share is looked at. */
  isShared?: boolean;
}

interface Step {
  name: string;
  run(): Promise<readonly Finding[]> | readonly Finding[];
}

/**
 * Checks a deployment as a stranger would, a step at a time, and yields what each found. A check that ends by an error of its
 * own is a finding too.
 */
export async function* examine(
  { config, store, walk, isShared = false }: Examination,
  signal?: AbortSignal,
): AsyncGenerator<readonly Finding[]> {
  let isReached = false;
  const address: Step = {
    name: 'address',
    async run() {
      const found = await checkAddress(config.http.baseUrl);
      isReached = found.every(({ outcome }) => outcome !== 'failed');
      return found;
    },
  };
  let isOfSchema = true;
  const schema: Step = {
    name: 'schema',
    async run() {
      const found = await checkStoreSchema(store);
      isOfSchema = found.every(({ outcome }) => outcome !== 'failed');
      return found;
    },
  };
  const walking: Step = { name: 'walk', run: () => runWalk(walk, { isReached, isOfSchema }) };
  const steps = isShared
    ? [{ name: 'settings', run: () => [createFinding('operator_checks')] }, address, walking]
    : [
        { name: 'settings', run: () => checkSettings(config) },
        address,
        schema,
        ...listOperatorSteps({ config, store, isOfSchema: () => isOfSchema }),
        walking,
      ];
  for (const { name, run } of steps) {
    signal?.throwIfAborted();
    yield await runStep(name, run, signal);
  }
}

/** Lists the checks of what stands beside the service, and of its store. */
function listOperatorSteps({
  config,
  store,
  isOfSchema,
}: Pick<Examination, 'config' | 'store'> & { isOfSchema(): boolean }): Step[] {
  const { http, mail, oidc, objectStore, backups } = config;
  const now = systemClock.now();
  return [
    { name: 'mail_server', run: async () => [await checkMailServer(mail)] },
    { name: 'identity', run: async () => [await checkIdentityProvider(oidc, http.baseUrl)] },
    { name: 'object_store', run: async () => [await checkObjectStore(objectStore)] },
    { name: 'backup', run: async () => [await checkBackups(backups.folder, now)] },
    {
      name: 'database',
      run: async () =>
        store === null
          ? [createFinding('store_in_use')]
          : [
              ...(await checkEngine(store.db, now)),
              ...(isOfSchema() ? await checkContents(store, { config, now }) : []),
            ],
    },
  ];
}

/** What of the store depends on its schema. */
const checkContents = async (
  { db, secretStores }: NonNullable<Examination['store']>,
  { config, now }: { config: DeploymentConfig; now: Date },
): Promise<Finding[]> => [
  ...(await checkStore(db, config, now)),
  await checkRecords(db),
  await checkSecrets(secretStores, config.secrets.keys),
];

const checkStoreSchema = async (store: Examination['store']): Promise<Finding[]> =>
  store === null ? [] : [await checkSchema(store.db)];

function runWalk(
  walk: Examination['walk'],
  { isReached, isOfSchema }: { isReached: boolean; isOfSchema: boolean },
): Promise<Finding[]> | Finding[] {
  if (walk === null) return [createFinding('no_walk')];
  if (!isReached) return [createFinding('walk_needs_address')];
  return isOfSchema ? walk() : [createFinding('walk_needs_schema')];
}

async function runStep(
  step: string,
  run: Step['run'],
  signal: AbortSignal | undefined,
): Promise<readonly Finding[]> {
  try {
    return await run();
  } catch (error) {
    signal?.throwIfAborted();
    // Only the error's name: messages of drivers quote data.
    return [createFinding('check_broke', { step, reason: error instanceof Error ? error.name : 'Error' })];
  }
}
