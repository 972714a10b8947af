import { MAX_SECRETS, type Webhook } from '../../../../contract/webhooks/webhooks.ts';
import { Refusal } from '../../../platform/kernel/refusal.ts';
import { toWebhookKey, auditWebhook, type WebhookCommand, type WebhookDeps } from '../webhook-command.ts';
import { requireWebhookForUpdate } from '../webhook-command.ts';
import { fingerprintSecret, generateWebhookSecret, toSecretPurpose } from '../signing.ts';
import * as statements from './secrets.sql.ts';
import { getWebhook } from './webhook-dto.ts';

interface SecretRotation {
  secret: string;
  previousExpiresAt: string;
  webhook: Webhook;
}

/** Creates a new secret. Previous ones go on signing for at most `overlapSeconds`. */
export async function rotateWebhookSecret(
  deps: Pick<WebhookDeps, 'db' | 'clock' | 'audit' | 'secrets'>,
  command: WebhookCommand,
  { overlapSeconds }: { overlapSeconds: number },
): Promise<SecretRotation> {
  const key = toWebhookKey(command);
  const secret = generateWebhookSecret();
  const stored = await deps.secrets.seal(toSecretPurpose(key.webhookId), secret);
  return deps.db.tx(async (tx) => {
    const row = await requireWebhookForUpdate(tx, key);
    const now = deps.clock.now();
    const previousExpiresAt = new Date(now.getTime() + overlapSeconds * 1000);
    const live = await tx.query(statements.selectLiveSecrets(key.organizationId, [key.webhookId], now));
    if (overlapSeconds > 0 && live.length >= MAX_SECRETS)
      throw new Refusal(409, 'too_many_secrets', {
        detail: `${MAX_SECRETS} secrets are in use; rotate with overlapSeconds 0, or wait until one ends.`,
      });
    await tx.query(statements.expireSecrets(key, previousExpiresAt));
    await tx.query(statements.deleteExpiredSecrets(key, now));
    // Two secrets created in one millisecond would have no order.
    const latest = live[0]?.created_at.getTime() ?? 0;
    await tx.query(
      statements.insertSecret(key, { secret: stored, at: new Date(Math.max(now.getTime(), latest + 1)) }),
    );
    await auditWebhook(tx, deps, {
      caller: command.caller,
      row,
      action: 'webhook.secret_rotated',
      detail: { fingerprint: fingerprintSecret(secret), overlapSeconds },
    });
    return {
      secret,
      previousExpiresAt: previousExpiresAt.toISOString(),
      webhook: await getWebhook({ ...deps, db: tx }, command, now),
    };
  });
}
