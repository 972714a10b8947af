import * as contract from '../../../../contract/webhooks/webhook-deliveries.ts';
import type { OrganizationId, WebhookId } from '../../../../contract/brands.ts';
import { serve, type Routes } from '../../../platform/http/serve.ts';
import { notFound } from '../../../platform/kernel/refusal.ts';
import { maybeOne } from '../../../platform/db/db.ts';
import { selectAttempts, findDelivery } from './deliveries.sql.ts';
import { listDeliveries } from './list-deliveries.ts';
import { toAttemptDto, toDeliveryDto, toReplayDto, toRequestDto } from './delivery-dto.ts';
import { eventIdFromTime, MAX_EVENT_ID, MIN_EVENT_ID, toKeysetPage } from '../events/event-id.ts';
import { requireVisibleWebhook } from '../webhook-command.ts';
import { redeliver } from './redeliver.ts';
import { replayDeliveries, stopReplay, type ReplayDeps } from './replay-deliveries.ts';
import { selectReplays } from './replays.sql.ts';

/** How many replays are listed. */
const MAX_REPLAYS = 10;

/** Registers the delivery log, redelivery and replay. */
export function registerDeliveryRoutes(routes: Routes, deps: ReplayDeps): void {
  const { db } = deps;
  serve(routes, contract.listDeliveries, async ({ params, caller, query }) => {
    const key = keyFromParams(params);
    const { webhookId } = params;
    await requireVisibleWebhook(db, { caller, webhookId });
    const { since, until, before = MAX_EVENT_ID, limit, ...filter } = query;
    const from = since === undefined ? MIN_EVENT_ID : eventIdFromTime(new Date(since));
    const end = until === undefined ? MAX_EVENT_ID : eventIdFromTime(new Date(until));
    const page = { ...filter, from, before: before < end ? before : end, limit: limit + 1, reach: caller };
    const { rows, next } = toKeysetPage(await listDeliveries(db, key, page), limit);
    return { results: rows.map(toDeliveryDto), next };
  });
  serve(routes, contract.getDelivery, async ({ params, caller }) => {
    const webhook = await requireVisibleWebhook(db, { caller, webhookId: params.webhookId });
    const key = { ...keyFromParams(params), eventId: params.deliveryId };
    const delivery = await maybeOne(db, findDelivery(key));
    if (!delivery || caller.projectIds?.includes(delivery.project_id) === false)
      throw notFound('The delivery');
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
  serve(routes, contract.replayDeliveries, ({ params: { webhookId }, caller, body }) =>
    replayDeliveries(deps, { caller, webhookId }, body),
  );
  serve(routes, contract.listReplays, async ({ params, caller }) => {
    await requireVisibleWebhook(db, { caller, webhookId: params.webhookId });
    // A replay counts the deliveries of all projects.
    if (caller.projectIds !== null) return { results: [] };
    return { results: (await db.query(selectReplays(keyFromParams(params), MAX_REPLAYS))).map(toReplayDto) };
  });
  serve(routes, contract.stopReplay, async ({ params: { webhookId, replayId }, caller }) => ({
    count: await stopReplay(deps, { caller, webhookId }, replayId),
  }));
}

const keyFromParams = ({ orgId, webhookId }: { orgId: OrganizationId; webhookId: WebhookId }) => ({
  organizationId: orgId,
  webhookId,
});
