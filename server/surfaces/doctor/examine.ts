import type { Db } from '../../platform/db/db.ts';
import { systemClock } from '../../platform/kernel/clock.ts';
import type { SecretStore } from '../../platform/keys/stored-secrets.ts';
import { checkAddress } from './check-address.ts';
import { checkBackups } from './check-backups.ts';
import { checkIdentityProvider } from './check-identity-provider.ts';
import { checkMailServer } from './check-mail.ts';
import { checkObjectStore } from './check-object-store.ts';
import { checkSecrets } from './check-secrets.ts';
import { checkSettings } from './check-settings.ts';
import { checkStore } from './check-store.ts';
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
  const walking: Step = { name: 'walk', run: () => runWalk(walk, isReached) };
  const steps = isShared
    ? [{ name: 'settings', run: () => [createFinding('operator_checks')] }, address, walking]
    : [
        { name: 'settings', run: () => checkSettings(config) },
        address,
        ...listOperatorSteps({ config, store }),
        walking,
      ];
  for (const { name, run } of steps) {
    signal?.throwIfAborted();
    yield await runStep(name, run, signal);
  }
}

/** Lists the checks of what stands beside the service, and of its store. */
function listOperatorSteps({ config, store }: Pick<Examination, 'config' | 'store'>): Step[] {
  const { http, mail, oidc, objectStore, backups, secrets } = config;
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
              ...(await checkStore(store.db, config, now)),
              await checkSecrets(store.secretStores, secrets.keys),
            ],
    },
  ];
}

const runWalk = (walk: Examination['walk'], isReached: boolean) =>
  walk === null ? [createFinding('no_walk')] : isReached ? walk() : [createFinding('walk_needs_address')];

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
