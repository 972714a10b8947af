import { createSourceSecrets } from '../../server/clinical/sources/stored-secrets.ts';
import { createMemberSecrets } from '../../server/identity/members/stored-secrets.ts';
import type { Db } from '../../server/platform/db/db.ts';
import { createSecretSeal } from '../../server/platform/keys/secret-seal.ts';
import { countStoredSecrets } from '../../server/platform/keys/stored-secrets.ts';
import type { SecretsConfig } from '../../server/platform/platform.ts';
import { createWebhookSecrets } from '../../server/surfaces/webhooks/registration/stored-secrets.ts';
import { failed, ok, warning, type Finding } from './finding.ts';

/** Checks how the secrets that the service must use are stored. */
export async function checkSecrets(db: Db, { keys }: SecretsConfig): Promise<Finding> {
  const stores = [createMemberSecrets(db), createSourceSecrets(db), createWebhookSecrets(db)];
  const { plain, current, previous, unknown } = await countStoredSecrets(createSecretSeal(keys), stores);
  if (unknown > 0)
    return failed(
      'secrets',
      `Secrets that cannot be opened: ${unknown}. They are sealed under a key that is not set, and whoever or whatever has them does not get in.`,
      'Add that key to CHARTGATE_SECRETS_KEY, behind the present one.',
    );
  if (keys.length === 0)
    return warning(
      'secrets',
      'Secrets of authenticator apps, connected servers and webhooks are stored in plain text.',
      'Set CHARTGATE_SECRETS_KEY (docs/operations.md, "Secrets in the store").',
    );
  if (plain + previous > 0)
    return warning(
      'secrets',
      `Secrets that are not sealed under the first key yet: ${plain + previous} of ${plain + previous + current}.`,
      'The service seals them within the hour; until then keep the older key in CHARTGATE_SECRETS_KEY.',
    );
  return ok('secrets', `All ${current} secrets are sealed under the first key.`);
}
