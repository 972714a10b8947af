import type { z } from 'zod';
import type { OrganizationCaller } from '../../../../contract/audience.ts';
import {
  MAX_WEBHOOKS,
  type createWebhook as contract,
  type Webhook,
} from '../../../../contract/webhooks/webhooks.ts';
import { lockOrganization } from '../../../identity/organizations/organizations.sql.ts';
import { one } from '../../../platform/db/db.ts';
import { generateId } from '../../../platform/kernel/ids.ts';
import { Refusal } from '../../../platform/kernel/refusal.ts';
import { generateWebhookSecret, toSecretPurpose } from '../signing.ts';
import { auditWebhook, type WebhookDeps } from '../webhook-command.ts';
import * as statements from '../webhooks.sql.ts';
import { insertSecret } from './secrets.sql.ts';
import { getWebhook } from './webhook-dto.ts';
import { requireEndpointUrl, requireOwnScope, sortEventTypes, toProjectIds } from './webhook-input.ts';

/** Registers a webhook of the caller's organization and returns it with its secret, which is never shown again. */
export async function createWebhook(
  deps: WebhookDeps,
  caller: OrganizationCaller,
  input: z.infer<(typeof contract)['body']>,
): Promise<Webhook & { secret: string }> {
  const { organizationId } = caller;
  requireEndpointUrl(input.url, deps.allowPrivate);
  const now = deps.clock.now();
  const secret = generateWebhookSecret();
  const row: statements.WebhookRow = {
    organization_id: organizationId,
    webhook_id: generateId(),
    url: input.url,
    description: input.description,
    event_types: sortEventTypes(input.eventTypes),
    project_ids: toProjectIds(input.projectScope),
    max_per_second: input.maxPerSecond,
    status: 'active',
    status_since: now,
    failing_since: null,
    announced_at: [],
    suspension_announced: false,
    created_at: now,
    changed_at: now,
  };
  const key = { organizationId, webhookId: row.webhook_id };
  const stored = await deps.secrets.seal(toSecretPurpose(key.webhookId), secret);
  return deps.db.tx(async (tx) => {
    await tx.query(lockOrganization(organizationId));
    const { total } = await one(tx, statements.countWebhooks({ organizationId, projectIds: null }));
    if (total >= MAX_WEBHOOKS)
      throw new Refusal(409, 'too_many_webhooks', {
        detail: `The organization has ${MAX_WEBHOOKS} webhooks already.`,
      });
    await requireOwnScope(tx, organizationId, input.projectScope);
    await tx.query(statements.insertWebhook(row));
    await tx.query(insertSecret(key, { secret: stored, at: now }));
    await auditWebhook(tx, deps, { caller, row, action: 'webhook.created' });
    return { ...(await getWebhook({ ...deps, db: tx }, { caller, webhookId: row.webhook_id }, now)), secret };
  });
}
