import type { Webhook } from '../../../../contract/webhooks/webhooks.ts';
import { toWebhookKey, auditWebhook, type WebhookCommand, type ChangeDeps } from './change-webhook.ts';
import type { DeliveryDispatcher } from '../delivery/delivery-dispatcher.ts';
import { requireWebhookForUpdate } from './require-webhook.ts';
import { getWebhook } from './webhook-dto.ts';
import { updateWebhook } from './webhooks.sql.ts';

type PauseDeps = Pick<ChangeDeps, 'db' | 'clock' | 'audit'>;

/** What is open waits; what is told from now on is dropped. */
export function pauseWebhook(deps: PauseDeps, command: WebhookCommand): Promise<Webhook> {
  const key = toWebhookKey(command);
  return deps.db.tx(async (tx) => {
    const before = await requireWebhookForUpdate(tx, key);
    const now = deps.clock.now();
    if (before.status !== 'paused') {
      const row = { ...before, status: 'paused' as const, status_since: now, changed_at: now };
      await tx.query(updateWebhook(row));
      await auditWebhook(tx, deps, { caller: command.caller, row, action: 'webhook.paused' });
    }
    return getWebhook(tx, key, now);
  });
}

/** What waited is due at once, and nothing is known to fail. */
export function resumeWebhook(
  deps: PauseDeps & { deliveries: Pick<DeliveryDispatcher, 'wake'> },
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
      await tx.query(updateWebhook(row));
      await auditWebhook(tx, deps, {
        caller: command.caller,
        row,
        action: 'webhook.resumed',
        detail: { from: before.status },
      });
      tx.afterCommit(() => deps.deliveries.wake());
    }
    return getWebhook(tx, key, now);
  });
}
