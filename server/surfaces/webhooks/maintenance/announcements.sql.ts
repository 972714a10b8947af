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

/** For each step of announcements, the oldest first, since when a webhook must have failed to have come to it. */
type Steps = readonly Date[];

const countSteps = (steps: Steps): Sql<number> => sql`
  (select count(*)::integer from unnest(${steps}::timestamptz[]) s(since) where w.failing_since <= s.since)`;

const isFailingUnannounced = (steps: Steps): Sql => sql`
  w.status = 'active' and w.failing_since is not null and cardinality(w.announced_at) < ${countSteps(steps)}`;

const isSuspensionUnannounced = sql`w.status = 'suspended' and not w.suspension_announced`;

/** Webhooks of which there is something to announce. */
export const selectUnannounced = (steps: Steps) => sql<WebhookKeyRow>`
  select organization_id, webhook_id from webhook w
  where (${isFailingUnannounced(steps)}) or (${isSuspensionUnannounced})
  order by organization_id, webhook_id`;

/** All steps that it has come to, in one; nothing when it does not fail any more, or another node was first. */
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

export const selectConsoleMembers = (organizationId: OrganizationId) => sql<{ email: string }>`
  select email from console_member where organization_id = ${organizationId} order by email`;
