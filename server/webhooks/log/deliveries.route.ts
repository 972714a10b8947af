import * as contract from '../../../contract/webhook-deliveries.ts';
import type { OrganizationId, WebhookId } from '../../../contract/ids.ts';
import { serve, type Routes } from '../../http/serve.ts';
import { notFound } from '../../kernel/refusal.ts';
import { maybeOne } from '../../storage/db.ts';
import { attemptsOf, deliveriesOf, deliveryById } from './delivery-log.sql.ts';
import { toldAttempt, toldDelivery, toldRequest } from './delivery-on-wire.ts';
import { firstPage } from '../keyset-page.ts';
import { knownWebhook } from '../registration/known-webhook.ts';
import { redeliver } from './redeliver.ts';
import { replay, type ReplayDeps } from './replay.ts';

/** What was sent, what came of it, and sending it again. */
export function deliveryRoutes(routes: Routes, deps: ReplayDeps): void {
  const { db } = deps;
  serve(routes, contract.listDeliveries, async ({ params, query: { status, before, limit } }) => {
    const key = webhookOf(params);
    await knownWebhook(db, key);
    const page = { status, before: before ?? null, limit: limit + 1 };
    const { rows, next } = firstPage(await db.query(deliveriesOf(key, page)), limit);
    return { results: rows.map(toldDelivery), next };
  });
  serve(routes, contract.getDelivery, async ({ params }) => {
    const webhook = await knownWebhook(db, webhookOf(params));
    const key = { ...webhookOf(params), eventId: params.deliveryId };
    const delivery = await maybeOne(db, deliveryById(key));
    if (!delivery) throw notFound('The delivery');
    const attempts = await db.query(attemptsOf(key));
    return {
      ...toldDelivery(delivery),
      request: toldRequest(webhook, delivery),
      attemptLog: attempts.map(toldAttempt),
    };
  });
  serve(routes, contract.redeliver, async ({ params: { webhookId, deliveryId }, caller }) =>
    toldDelivery(await redeliver(deps, { caller, webhookId, eventId: deliveryId })),
  );
  serve(routes, contract.replayDeliveries, async ({ params: { webhookId }, caller, body }) => ({
    count: await replay(deps, { caller, webhookId }, body),
  }));
}

const webhookOf = ({ orgId, webhookId }: { orgId: OrganizationId; webhookId: WebhookId }) => ({
  organizationId: orgId,
  webhookId,
});
