import type { OrganizationId, WebhookId } from '../../../../contract/brands.ts';
import { sql, type Sql } from '../../../platform/db/sql.ts';

export interface WebhookKeyRow {
  organization_id: OrganizationId;
  webhook_id: WebhookId;
}

export interface AnnouncedRow extends WebhookKeyRow {
  url: string;
  description: string;
}

/** For each announcement, in order, the time since which a webhook must have been failing for it to be due. */
type Steps = readonly Date[];

const countSteps = (steps: Steps): Sql<number> => sql`
  (select count(*)::integer from unnest(${steps}::timestamptz[]) s(since) where w.failing_since <= s.since)`;

const isFailingUnannounced = (steps: Steps): Sql => sql`
  w.status = 'active' and w.failing_since is not null and cardinality(w.announced_at) < ${countSteps(steps)}`;

const isSuspensionUnannounced = sql`w.status = 'suspended' and not w.suspension_announced`;

/** Returns the webhooks for which an announcement is due. */
export const selectUnannounced = (steps: Steps) => sql<WebhookKeyRow>`
  select organization_id, webhook_id from webhook w
  where (${isFailingUnannounced(steps)}) or (${isSuspensionUnannounced})
  order by organization_id, webhook_id`;

/** Marks every due announcement at once; returns nothing when the webhook has recovered or another node was first. */
export const markFailingAnnounced = (
  webhook: WebhookKeyRow,
  { steps, now }: { steps: Steps; now: Date },
) => sql<AnnouncedRow & { failing_since: Date; step: number }>`
  update webhook w
  set announced_at = w.announced_at
    || array_fill(${now}::timestamptz, array[${countSteps(steps)} - cardinality(w.announced_at)])
  where organization_id = ${webhook.organization_id} and webhook_id = ${webhook.webhook_id} and ${isFailingUnannounced(steps)}
  returning organization_id, webhook_id, url, description, failing_since, cardinality(announced_at) as step`;

export const markSuspensionAnnounced = (webhook: WebhookKeyRow) => sql<AnnouncedRow & { status_since: Date }>`
  update webhook w set suspension_announced = true
  where organization_id = ${webhook.organization_id} and webhook_id = ${webhook.webhook_id} and ${isSuspensionUnannounced}
  returning organization_id, webhook_id, url, description, status_since`;
