import type { EventId } from '../../../../contract/brands.ts';
import { notFound } from '../../../platform/kernel/refusal.ts';
import { maybeOne, one, type Tx } from '../../../platform/db/db.ts';
import { toWebhookKey, auditWebhook, type WebhookCommand } from '../webhook-command.ts';
import type { DeliveryKey } from '../delivery/claims.sql.ts';
import { findDelivery, lockDelivery, type DeliveryRow } from './deliveries.sql.ts';
import { requireActive, requireWebhook } from '../webhook-command.ts';
import type { ReplayDeps } from './replay-deliveries.ts';
import { makeDeliveryDue, resetDelivery } from './deliveries.sql.ts';

/** Sends a settled delivery again, or makes the next attempt of an open one due. A delivery under way stays as it is. */
export function redeliver(
  deps: ReplayDeps,
  { eventId, ...command }: WebhookCommand & { eventId: EventId },
): Promise<DeliveryRow> {
  const key = { ...toWebhookKey(command), eventId };
  return deps.db.tx(async (tx) => {
    const webhook = await requireWebhook(tx, key);
    const delivery = await maybeOne(tx, lockDelivery(key));
    if (!delivery) throw notFound('The delivery');
    requireActive(webhook);
    if (delivery.leased_by !== null) return delivery;
    await makeDue(tx, { key, delivery, now: deps.clock.now() });
    const detail = { eventId, was: delivery.state };
    await auditWebhook(tx, deps, {
      caller: command.caller,
      row: webhook,
      action: 'webhook.redelivered',
      projectId: delivery.project_id,
      detail,
    });
    tx.afterCommit(() => deps.deliveries.wake());
    return one(tx, findDelivery(key));
  });
}

async function makeDue(
  tx: Tx,
  { key, delivery, now }: { key: DeliveryKey; delivery: DeliveryRow; now: Date },
): Promise<void> {
  const isOpen = delivery.state === 'pending' || delivery.state === 'retrying';
  await tx.query(isOpen ? makeDeliveryDue(key, now) : resetDelivery(key, now));
}
