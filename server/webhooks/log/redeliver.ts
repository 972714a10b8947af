import type { EventId } from '../../../contract/ids.ts';
import { notFound } from '../../kernel/refusal.ts';
import { maybeOne, one, type Tx } from '../../storage/db.ts';
import { keyOf, report, type Change } from '../registration/change-webhook.ts';
import type { DeliveryKey } from '../delivery/claims.sql.ts';
import { deliveryById, lockDelivery, type DeliveryRow } from './delivery-log.sql.ts';
import { demandActive, knownWebhook } from '../registration/known-webhook.ts';
import type { ReplayDeps } from './replay.ts';
import { hurryDelivery, sendAnew } from './replay.sql.ts';

/** Sends one delivery anew, or the next attempt of one that is open; one that a node is at stays as it is. */
export function redeliver(
  deps: ReplayDeps,
  { eventId, ...change }: Change & { eventId: EventId },
): Promise<DeliveryRow> {
  const key = { ...keyOf(change), eventId };
  return deps.db.tx(async (tx) => {
    const webhook = await knownWebhook(tx, key);
    const delivery = await maybeOne(tx, lockDelivery(key));
    if (!delivery) throw notFound('The delivery');
    demandActive(webhook);
    if (delivery.leased_by !== null) return delivery;
    await makeDue(tx, { key, delivery, now: deps.clock.now() });
    const detail = { eventId, was: delivery.state };
    await report(tx, deps, {
      caller: change.caller,
      row: webhook,
      action: 'webhook.redelivered',
      projectId: delivery.project_id,
      detail,
    });
    tx.afterCommit(() => deps.deliveries.wake());
    return one(tx, deliveryById(key));
  });
}

async function makeDue(
  tx: Tx,
  { key, delivery, now }: { key: DeliveryKey; delivery: DeliveryRow; now: Date },
): Promise<void> {
  const open = delivery.state === 'pending' || delivery.state === 'retrying';
  await tx.query(open ? hurryDelivery(key, now) : sendAnew(key, now));
}
