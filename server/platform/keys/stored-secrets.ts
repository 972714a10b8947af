import type { SecretPurpose, SecretSeal, SecretState } from './secret-seal.ts';

export interface StoredSecret {
  purpose: SecretPurpose;
  stored: string;
}

/** The secrets of a part of the service that are in the store. */
export interface SecretStore {
  list(): Promise<StoredSecret[]>;
  /** Puts `sealed` in the place of a secret that has not changed meanwhile. */
  replace(secret: StoredSecret, sealed: string): Promise<unknown>;
}

/** Seals what is stored in plain text or under a key that is no longer the first. Where one cannot be opened, the others are sealed. */
export async function sealStoredSecrets(
  secrets: SecretSeal,
  stores: readonly SecretStore[],
  signal: AbortSignal,
): Promise<void> {
  const errors: unknown[] = [];
  for (const store of stores)
    for (const secret of await store.list()) {
      signal.throwIfAborted();
      if (secrets.getState(secret.stored) === 'current') continue;
      try {
        const { purpose, stored } = secret;
        await store.replace(secret, await secrets.seal(purpose, await secrets.open(purpose, stored)));
      } catch (error) {
        errors.push(error);
      }
    }
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} secrets cannot be opened.`);
}

/** Counts the secrets by how they are stored. */
export async function countStoredSecrets(
  secrets: Pick<SecretSeal, 'getState'>,
  stores: readonly SecretStore[],
): Promise<Record<SecretState, number>> {
  const counts = { plain: 0, current: 0, previous: 0, unknown: 0 };
  for (const store of stores) for (const { stored } of await store.list()) counts[secrets.getState(stored)]++;
  return counts;
}
