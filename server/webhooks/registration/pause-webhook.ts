import type { Webhook } from '../../../contract/webhooks.ts';
import { keyOf, report, type Change, type ChangeDeps } from './change-webhook.ts';
import type { Deliveries } from '../delivery/deliveries.ts';
import { lockedWebhook } from './known-webhook.ts';
import { tellWebhook } from './webhook-on-wire.ts';
import { putWebhook } from './webhooks.sql.ts';

type PauseDeps = Pick<ChangeDeps, 'db' | 'clock' | 'audit'>;

/** What is open waits; what is told from now on is dropped. */
export function pauseWebhook(deps: PauseDeps, change: Change): Promise<Webhook> {
  const key = keyOf(change);
  return deps.db.tx(async (tx) => {
    const before = await lockedWebhook(tx, key);
    const now = deps.clock.now();
    if (before.status !== 'paused') {
      const row = { ...before, status: 'paused' as const, status_since: now, changed_at: now };
      await tx.query(putWebhook(row));
      await report(tx, deps, { caller: change.caller, row, action: 'webhook.paused' });
    }
    return tellWebhook(tx, key, now);
  });
}

/** What waited is due at once, and nothing is known to fail. */
export function resumeWebhook(
  deps: PauseDeps & { deliveries: Pick<Deliveries, 'wake'> },
  change: Change,
): Promise<Webhook> {
  const key = keyOf(change);
  return deps.db.tx(async (tx) => {
    const before = await lockedWebhook(tx, key);
    const now = deps.clock.now();
    if (before.status !== 'active') {
      const healthy = { failing_since: null, announced_at: [], suspension_told: false };
      const row = {
        ...before,
        ...healthy,
        status: 'active' as const,
        status_since: now,
        changed_at: now,
      };
      await tx.query(putWebhook(row));
      await report(tx, deps, {
        caller: change.caller,
        row,
        action: 'webhook.resumed',
        detail: { from: before.status },
      });
      tx.afterCommit(() => deps.deliveries.wake());
    }
    return tellWebhook(tx, key, now);
  });
}
