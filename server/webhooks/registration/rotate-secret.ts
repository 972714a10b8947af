import type { Webhook } from '../../../contract/webhooks.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { keyOf, report, type Change, type ChangeDeps } from './change-webhook.ts';
import { lockedWebhook } from './known-webhook.ts';
import { fingerprint, newSecret } from './secret.ts';
import * as statements from './secrets.sql.ts';
import { tellWebhook } from './webhook-on-wire.ts';

/** At a time: each is a signature more in the header of every delivery. */
const MOST_SECRETS = 5;

interface Rotated {
  secret: string;
  previousExpiresAt: string;
  webhook: Webhook;
}

/** A new secret. The one before it goes on to sign for `overlapSeconds`, and so do older ones that end later than that. */
export function rotateSecret(
  deps: Pick<ChangeDeps, 'db' | 'clock' | 'audit'>,
  change: Change,
  { overlapSeconds }: { overlapSeconds: number },
): Promise<Rotated> {
  const key = keyOf(change);
  const secret = newSecret();
  return deps.db.tx(async (tx) => {
    const row = await lockedWebhook(tx, key);
    const now = deps.clock.now();
    const previousExpiresAt = new Date(now.getTime() + overlapSeconds * 1000);
    const live = await tx.query(statements.liveSecrets(key.organizationId, [key.webhookId], now));
    if (overlapSeconds > 0 && live.length >= MOST_SECRETS)
      throw new Refusal(409, 'too_many_secrets', {
        detail: `${MOST_SECRETS} secrets are in use; rotate with overlapSeconds 0, or wait until one ends.`,
      });
    await tx.query(statements.endSecrets(key, previousExpiresAt));
    await tx.query(statements.deleteEndedSecrets(key, now));
    // Two of one millisecond would have no order.
    const latest = live[0]?.created_at.getTime() ?? 0;
    await tx.query(
      statements.insertSecret(key, { secret, at: new Date(Math.max(now.getTime(), latest + 1)) }),
    );
    await report(tx, deps, {
      caller: change.caller,
      row,
      action: 'webhook.secret_rotated',
      detail: { fingerprint: fingerprint(secret), overlapSeconds },
    });
    return {
      secret,
      previousExpiresAt: previousExpiresAt.toISOString(),
      webhook: await tellWebhook(tx, key, now),
    };
  });
}
