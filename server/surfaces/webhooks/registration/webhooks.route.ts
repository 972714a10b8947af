import * as contract from '../../../../contract/webhooks/webhooks.ts';
import { serve, type Routes } from '../../../platform/http/serve.ts';
import { one } from '../../../platform/db/db.ts';
import { addWebhook, changeWebhook, deleteWebhook, type ChangeDeps } from './change-webhook.ts';
import type { DeliveryDispatcher } from '../delivery/delivery-dispatcher.ts';
import { registerDeliveryRoutes } from '../log/deliveries.route.ts';
import { toAttemptDto, toDeliveryDto } from '../log/delivery-dto.ts';
import { pauseWebhook, resumeWebhook } from './pause-webhook.ts';
import { rotateWebhookSecret } from './rotate-webhook-secret.ts';
import { testWebhook } from './test-webhook.ts';
import { registerWebhookEventRoutes } from '../events/webhook-events.route.ts';
import { getWebhook, listWebhooks } from './webhook-dto.ts';
import { countWebhooks } from './webhooks.sql.ts';

export interface WebhookRouteDeps extends ChangeDeps {
  deliveries: Pick<DeliveryDispatcher, 'wake' | 'sendNow'>;
}

/** Where an organization has its events sent to, and what became of them. */
export function registerWebhookRoutes(routes: Routes, deps: WebhookRouteDeps): void {
  const { db, clock } = deps;
  serve(routes, contract.createWebhook, ({ caller, body }) => addWebhook(deps, caller, body));
  serve(routes, contract.listWebhooks, async ({ params: { orgId }, query }) => {
    const { total } = await one(db, countWebhooks(orgId));
    return { total, results: await listWebhooks(db, orgId, { ...query, now: clock.now() }) };
  });
  serve(routes, contract.getWebhook, ({ params: { orgId: organizationId, webhookId } }) =>
    getWebhook(db, { organizationId, webhookId }, clock.now()),
  );
  serve(routes, contract.updateWebhook, ({ params: { webhookId }, caller, body }) =>
    changeWebhook(deps, { caller, webhookId }, body),
  );
  serve(routes, contract.deleteWebhook, async ({ params: { webhookId }, caller }) => {
    await deleteWebhook(deps, { caller, webhookId });
    return undefined;
  });
  serve(routes, contract.pauseWebhook, ({ params: { webhookId }, caller }) =>
    pauseWebhook(deps, { caller, webhookId }),
  );
  serve(routes, contract.resumeWebhook, ({ params: { webhookId }, caller }) =>
    resumeWebhook(deps, { caller, webhookId }),
  );
  serve(routes, contract.rotateWebhookSecret, ({ params: { webhookId }, caller, body }) =>
    rotateWebhookSecret(deps, { caller, webhookId }, body),
  );
  serve(routes, contract.testWebhook, async ({ params: { webhookId }, caller, body }) => {
    const { delivery, attempt } = await testWebhook(deps, { caller, webhookId }, body.projectId);
    const attemptDto = toAttemptDto(attempt);
    return { delivered: attemptDto.delivered, delivery: toDeliveryDto(delivery), attempt: attemptDto };
  });
  registerDeliveryRoutes(routes, deps);
  registerWebhookEventRoutes(routes, deps);
}
