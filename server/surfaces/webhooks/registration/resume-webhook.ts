import type { Webhook } from '../../../../contract/webhooks/webhooks.ts';
import type { DeliveryDispatcher } from '../delivery/delivery-dispatcher.ts';
import {
  auditWebhook,
  requireWebhookForUpdate,
  toWebhookKey,
  type WebhookCommand,
  type WebhookDeps,
} from '../webhook-command.ts';
import * as statements from '../webhooks.sql.ts';
import { getWebhook } from './webhook-dto.ts';

/** Resumes a webhook that is paused or suspended: what waited is due at once, and its failures are cleared. */
export function resumeWebhook(
  deps: Pick<WebhookDeps, 'db' | 'clock' | 'audit' | 'secrets'> & {
    deliveries: Pick<DeliveryDispatcher, 'wake'>;
  },
  command: WebhookCommand,
): Promise<Webhook> {
  const key = toWebhookKey(command);
  return deps.db.tx(async (tx) => {
    const before = await requireWebhookForUpdate(tx, key);
    const now = deps.clock.now();
    if (before.status !== 'active') {
      const healthy = { failing_since: null, announced_at: [], suspension_announced: false };
      const row = {
        ...before,
        ...healthy,
        status: 'active' as const,
        status_since: now,
        changed_at: now,
      };
      await tx.query(statements.updateWebhook(row));
      await auditWebhook(tx, deps, {
        caller: command.caller,
        row,
        action: 'webhook.resumed',
        detail: { from: before.status },
      });
      tx.afterCommit(() => deps.deliveries.wake());
    }
    return getWebhook({ ...deps, db: tx }, command, now);
  });
}
