import type { Db } from '../../../platform/db/db.ts';
import type { SecretStore } from '../../../platform/keys/stored-secrets.ts';
import { toSecretPurpose } from '../signing.ts';
import { findSecrets, replaceSecret } from './secrets.sql.ts';

/** The secrets that deliveries are signed with. */
export const createWebhookSecrets = (db: Db): SecretStore => ({
  list: async () =>
    (await db.query(findSecrets())).map(({ webhook_id: webhookId, stored }) => ({
      purpose: toSecretPurpose(webhookId),
      stored,
    })),
  replace: ({ stored }, sealed) => db.query(replaceSecret(stored, sealed)),
});
