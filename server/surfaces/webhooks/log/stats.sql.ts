import type { OrganizationReach } from '../../../../contract/audience.ts';
import type { AttemptAnswer, DeliveryStatus } from '../../../../contract/webhooks/webhook-deliveries.ts';
import { isWithinProjects } from '../../../identity/organizations/reach.sql.ts';
import { raw, sql, type Sql } from '../../../platform/db/sql.ts';
import { eventIdFromTime } from '../events/event-id.ts';
import type { WebhookKey } from '../webhooks.sql.ts';
import { ANSWER, isInReach } from './deliveries.sql.ts';

export interface StatsRange {
  from: Date;
  /** Exclusive. */
  to: Date;
  bucket: 'hour' | 'day';
  /** Of the days: a name of the IANA database. */
  zone: string;
  /** Who may see the events of some projects only. */
  reach: Pick<OrganizationReach, 'projectIds'>;
}

export const countDeliveries = ({ organizationId, webhookId }: WebhookKey, range: StatsRange) => sql<{
  at: Date;
  state: DeliveryStatus;
  total: number;
}>`
  select date_trunc(${range.bucket}::text, d.created_at, ${range.zone}::text) as at, d.state, count(*) as total
  from webhook_delivery d
  where d.organization_id = ${organizationId} and d.webhook_id = ${webhookId}
    and d.event_id >= ${eventIdFromTime(range.from)} and d.event_id < ${eventIdFromTime(range.to)}
    and ${isInReach(range.reach)}
  group by 1, 2 order by 1`;

/** A condition on a row `a` of `webhook_attempt`. */
const isAttemptInRange = (
  { organizationId, webhookId }: WebhookKey,
  { from, to, reach }: StatsRange,
): Sql => sql`
  a.organization_id = ${organizationId} and a.webhook_id = ${webhookId}
  and a.attempted_at >= ${from} and a.attempted_at < ${to}
  and ${
    reach.projectIds === null
      ? raw('true')
      : sql`exists (
          select from webhook_event v where v.organization_id = a.organization_id and v.event_id = a.event_id
            and ${isWithinProjects(reach, raw('v.project_id'))})`
  }`;

interface AttemptStatsRow {
  at: Date;
  delivered: number;
  failed: number;
  duration_p50: number;
  duration_p95: number;
  delay_p50: number | null;
  delay_p95: number | null;
}

/**
 * Counts and times attempts. A delivery that was sent again counts from one again: what is later than the first attempt of
 * all is no delay.
 */
export const measureAttempts = (webhook: WebhookKey, range: StatsRange) => sql<AttemptStatsRow>`
  select date_trunc(${range.bucket}::text, attempted_at, ${range.zone}::text) as at,
    count(*) filter (where fault is null) as delivered, count(*) filter (where fault is not null) as failed,
    percentile_disc(0.5) within group (order by duration_ms) as duration_p50,
    percentile_disc(0.95) within group (order by duration_ms) as duration_p95,
    percentile_disc(0.5) within group (order by delay) as delay_p50,
    percentile_disc(0.95) within group (order by delay) as delay_p95
  from (
    select a.attempted_at, a.fault, a.duration_ms,
      case when d.event_id is not null and not exists (
          select from webhook_attempt b where b.organization_id = a.organization_id and b.webhook_id = a.webhook_id
            and b.event_id = a.event_id and b.attempted_at < a.attempted_at)
        then greatest(0, extract(epoch from a.attempted_at - d.created_at) * 1000)::int8 end as delay
    from webhook_attempt a
    left join webhook_delivery d on a.delivery_attempt = 1 and d.organization_id = a.organization_id
      and d.webhook_id = a.webhook_id and d.event_id = a.event_id
    where ${isAttemptInRange(webhook, range)}
    -- Else each of its two quantiles would look for the first attempt anew.
    offset 0) attempt
  group by 1 order by 1`;

export const countAnswers = (webhook: WebhookKey, range: StatsRange) => sql<{
  answer: AttemptAnswer;
  total: number;
}>`
  select ${ANSWER} as answer, count(*) as total from webhook_attempt a where ${isAttemptInRange(webhook, range)}
  group by 1 order by 2 desc, 1`;
