import * as contract from '../../../../contract/webhooks/webhooks.ts';
import { serve, type Routes } from '../../../platform/http/serve.ts';
import { one } from '../../../platform/db/db.ts';
import { createWebhook } from './create-webhook.ts';
import { updateWebhook } from './update-webhook.ts';
import { deleteWebhook } from './delete-webhook.ts';
import { requireVisibleWebhook, type WebhookDeps } from '../webhook-command.ts';
import type { DeliveryDispatcher } from '../delivery/delivery-dispatcher.ts';
import { registerWebhookStatsRoutes } from '../webhook-stats.route.ts';
import { registerDeliveryRoutes } from '../log/deliveries.route.ts';
import { toAttemptDto, toDeliveryDto } from '../log/delivery-dto.ts';
import { endFormerSecrets } from './end-former-secrets.ts';
import { pauseWebhook } from './pause-webhook.ts';
import { resumeWebhook } from './resume-webhook.ts';
import { rotateWebhookSecret } from './rotate-webhook-secret.ts';
import { testWebhook } from './test-webhook.ts';
import { registerWebhookEventRoutes } from '../events/webhook-events.route.ts';
import { getWebhook, listWebhooks } from './webhook-dto.ts';
import { countWebhooks } from '../webhooks.sql.ts';

export interface WebhookRouteDeps extends WebhookDeps {
  deliveries: Pick<DeliveryDispatcher, 'wake' | 'sendNow'>;
}

/** Registers every endpoint of an organization's webhooks, events and deliveries. */
export function registerWebhookRoutes(routes: Routes, deps: WebhookRouteDeps): void {
  const { db, clock } = deps;
  serve(routes, contract.createWebhook, ({ caller, body }) => createWebhook(deps, caller, body));
  serve(routes, contract.listWebhooks, async ({ caller, query }) => {
    const { total } = await one(db, countWebhooks(caller));
    return { total, results: await listWebhooks(deps, caller, { ...query, now: clock.now() }) };
  });
  serve(routes, contract.getWebhook, async ({ params: { webhookId }, caller }) => {
    await requireVisibleWebhook(db, { caller, webhookId });
    return getWebhook(deps, { caller, webhookId }, clock.now());
  });
  serve(routes, contract.updateWebhook, ({ params: { webhookId }, caller, body }) =>
    updateWebhook(deps, { caller, webhookId }, body),
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
  serve(routes, contract.endFormerSecrets, ({ params: { webhookId }, caller }) =>
    endFormerSecrets(deps, { caller, webhookId }),
  );
  serve(routes, contract.testWebhook, async ({ params: { webhookId }, caller, body }) => {
    const { delivery, attempt } = await testWebhook(deps, { caller, webhookId }, body.projectId);
    const attemptDto = toAttemptDto(attempt);
    return { delivered: attemptDto.delivered, delivery: toDeliveryDto(delivery), attempt: attemptDto };
  });
  registerDeliveryRoutes(routes, deps);
  registerWebhookStatsRoutes(routes, deps);
  registerWebhookEventRoutes(routes, deps);
}
