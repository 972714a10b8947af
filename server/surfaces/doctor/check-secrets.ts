import { createSecretSeal } from '../../platform/keys/secret-seal.ts';
import { countStoredSecrets, type SecretStore } from '../../platform/keys/stored-secrets.ts';
import { createFinding, type Finding } from './finding.ts';

/** Checks how the secrets that the service must use are stored. */
export async function checkSecrets(
  stores: readonly SecretStore[],
  keys: readonly Uint8Array[],
): Promise<Finding> {
  const { plain, current, previous, unknown } = await countStoredSecrets(createSecretSeal(keys), stores);
  if (unknown > 0)
    return createFinding(keys.length === 0 ? 'secrets_keyless' : 'secrets_lost', { count: unknown });
  if (keys.length === 0) return createFinding('secrets_plain');
  const count = plain + previous;
  return count > 0
    ? createFinding('secrets_waiting', { count, total: count + current })
    : createFinding('secrets_ok', { count: current });
}
