import * as contract from '../../../contract/webhooks.ts';
import { serve, type Routes } from '../../http/serve.ts';
import { one } from '../../storage/db.ts';
import { addWebhook, changeWebhook, removeWebhook, type ChangeDeps } from './change-webhook.ts';
import type { Deliveries } from '../delivery/deliveries.ts';
import { deliveryRoutes } from '../log/deliveries.route.ts';
import { toldAttempt, toldDelivery } from '../log/delivery-on-wire.ts';
import { pauseWebhook, resumeWebhook } from './pause-webhook.ts';
import { rotateSecret } from './rotate-secret.ts';
import { testWebhook } from './test-webhook.ts';
import { webhookEventRoutes } from '../events/webhook-events.route.ts';
import { tellWebhook, tellWebhooks } from './webhook-on-wire.ts';
import { countWebhooks } from './webhooks.sql.ts';

export interface WebhookRouteDeps extends ChangeDeps {
  deliveries: Pick<Deliveries, 'wake' | 'sendNow'>;
}

/** Where an organization has its events sent to, and what became of them. */
export function webhookRoutes(routes: Routes, deps: WebhookRouteDeps): void {
  const { db, clock } = deps;
  serve(routes, contract.createWebhook, ({ caller, body }) => addWebhook(deps, caller, body));
  serve(routes, contract.listWebhooks, async ({ params: { orgId }, query }) => {
    const { total } = await one(db, countWebhooks(orgId));
    return { total, results: await tellWebhooks(db, orgId, { ...query, now: clock.now() }) };
  });
  serve(routes, contract.getWebhook, ({ params: { orgId: organizationId, webhookId } }) =>
    tellWebhook(db, { organizationId, webhookId }, clock.now()),
  );
  serve(routes, contract.updateWebhook, ({ params: { webhookId }, caller, body }) =>
    changeWebhook(deps, { caller, webhookId }, body),
  );
  serve(routes, contract.deleteWebhook, async ({ params: { webhookId }, caller }) => {
    await removeWebhook(deps, { caller, webhookId });
    return undefined;
  });
  serve(routes, contract.pauseWebhook, ({ params: { webhookId }, caller }) =>
    pauseWebhook(deps, { caller, webhookId }),
  );
  serve(routes, contract.resumeWebhook, ({ params: { webhookId }, caller }) =>
    resumeWebhook(deps, { caller, webhookId }),
  );
  serve(routes, contract.rotateWebhookSecret, ({ params: { webhookId }, caller, body }) =>
    rotateSecret(deps, { caller, webhookId }, body),
  );
  serve(routes, contract.testWebhook, async ({ params: { webhookId }, caller, body }) => {
    const { delivery, attempt } = await testWebhook(deps, { caller, webhookId }, body.projectId);
    const told = toldAttempt(attempt);
    return { delivered: told.delivered, delivery: toldDelivery(delivery), attempt: told };
  });
  deliveryRoutes(routes, deps);
  webhookEventRoutes(routes, deps);
}
