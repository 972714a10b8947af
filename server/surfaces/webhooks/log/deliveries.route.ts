import * as contract from '../../../../contract/webhooks/webhook-deliveries.ts';
import type { OrganizationId, WebhookId } from '../../../../contract/brands.ts';
import { serve, type Routes } from '../../../platform/http/serve.ts';
import { notFound } from '../../../platform/kernel/refusal.ts';
import { maybeOne } from '../../../platform/db/db.ts';
import { selectAttempts, selectDeliveries, findDelivery } from './deliveries.sql.ts';
import { toAttemptDto, toDeliveryDto, toRequestDto } from './delivery-dto.ts';
import { toKeysetPage } from '../events/event-id.ts';
import { requireWebhook } from '../webhook-command.ts';
import { redeliver } from './redeliver.ts';
import { replayDeliveries, type ReplayDeps } from './replay-deliveries.ts';

/** Registers the delivery log, redelivery and replay. */
export function registerDeliveryRoutes(routes: Routes, deps: ReplayDeps): void {
  const { db } = deps;
  serve(routes, contract.listDeliveries, async ({ params, query: { status, before, limit } }) => {
    const key = keyFromParams(params);
    await requireWebhook(db, key);
    const page = { status, before: before ?? null, limit: limit + 1 };
    const { rows, next } = toKeysetPage(await db.query(selectDeliveries(key, page)), limit);
    return { results: rows.map(toDeliveryDto), next };
  });
  serve(routes, contract.getDelivery, async ({ params }) => {
    const webhook = await requireWebhook(db, keyFromParams(params));
    const key = { ...keyFromParams(params), eventId: params.deliveryId };
    const delivery = await maybeOne(db, findDelivery(key));
    if (!delivery) throw notFound('The delivery');
    const attempts = await db.query(selectAttempts(key));
    return {
      ...toDeliveryDto(delivery),
      request: toRequestDto(webhook, delivery),
      attemptLog: attempts.map(toAttemptDto),
    };
  });
  serve(routes, contract.redeliver, async ({ params: { webhookId, deliveryId }, caller }) =>
    toDeliveryDto(await redeliver(deps, { caller, webhookId, eventId: deliveryId })),
  );
  serve(routes, contract.replayDeliveries, async ({ params: { webhookId }, caller, body }) => ({
    count: await replayDeliveries(deps, { caller, webhookId }, body),
  }));
}

const keyFromParams = ({ orgId, webhookId }: { orgId: OrganizationId; webhookId: WebhookId }) => ({
  organizationId: orgId,
  webhookId,
});
