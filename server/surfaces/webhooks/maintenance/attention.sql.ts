import type { OrganizationReach } from '../../../../contract/audience.ts';
import type { OrganizationId } from '../../../../contract/brands.ts';
import { overlapsProjects } from '../../../identity/organizations/reach.sql.ts';
import { raw, sql } from '../../../platform/db/sql.ts';
import { isDeliveryInReach } from '../webhooks.sql.ts';

export interface TroubledWebhookRow {
  webhook_id: string;
  url: string;
  status: 'active' | 'paused' | 'suspended';
  status_since: Date;
  failing_since: Date | null;
  /** Deliveries that were given up since `since`, `limit` at most. */
  exhausted: number;
  /** When the secret before a rotation ends, where that is before `until`. */
  secret_ends_at: Date | null;
}

/** Finds what an organization's webhooks are in trouble with; nothing of those that are not. */
export const findTroubledWebhooks = (
  reach: OrganizationReach,
  { now, since, until, limit }: { now: Date; since: Date; until: Date; limit: number },
) => sql<TroubledWebhookRow>`
  select * from (
    select w.webhook_id, w.url, w.status, w.status_since, w.failing_since,
      (select count(*)::integer from (
        select from webhook_delivery d
        where d.organization_id = w.organization_id and d.webhook_id = w.webhook_id and d.state = 'exhausted'
          and d.changed_at >= ${since} and ${isDeliveryInReach(reach)} limit ${limit}) found) as exhausted,
      (select min(s.expires_at) from webhook_secret s
        where s.organization_id = w.organization_id and s.webhook_id = w.webhook_id
          and s.expires_at > ${now} and s.expires_at <= ${until}) as secret_ends_at
    from webhook w
    where w.organization_id = ${reach.organizationId} and ${overlapsProjects(reach, raw('w.project_ids'))}) w
  where w.status = 'suspended' or (w.status = 'active' and w.failing_since is not null)
    or w.exhausted > 0 or w.secret_ends_at is not null
  order by w.webhook_id`;

/** A row when the organization has a webhook. */
export const hasWebhook = (organizationId: OrganizationId) => sql<{ webhook_id: string }>`
  select webhook_id from webhook where organization_id = ${organizationId} limit 1`;
