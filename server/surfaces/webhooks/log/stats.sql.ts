import type { OrganizationReach } from '../../../../contract/audience.ts';
import type { DeliveryStatus } from '../../../../contract/webhooks/webhook-deliveries.ts';
import { isWithinProjects } from '../../../identity/organizations/reach.sql.ts';
import { raw, sql, type Sql } from '../../../platform/db/sql.ts';
import { eventIdFromTime } from '../events/event-id.ts';
import { isDeliveryInReach, type WebhookKey } from '../webhooks.sql.ts';

import { selectMeasured, unionRanges, type TimeRange } from './measured-attempts.sql.ts';

export interface StatsRange extends TimeRange {
  bucket: 'hour' | 'day';
  /** Of the days: a name of the IANA database. An hour that begins in a day is counted in it. */
  zone: string;
  /** Who may see the events of some projects only. */
  reach: Pick<OrganizationReach, 'projectIds'>;
}

/** A range in parts: whole hours that are summed already, and what is counted from the rows. */
export interface SplitRange extends StatsRange {
  summed: TimeRange;
  /** The days of the zone whose hours are all among those; none where points are hours. */
  days: TimeRange;
  live: readonly TimeRange[];
}

/** Returns up to when the hours of an organization are summed. */
export const findSummedUntil = ({ organizationId }: Pick<WebhookKey, 'organizationId'>) => sql<{
  summed_until: Date;
}>`
  select summed_until from webhook_hour_progress where organization_id = ${organizationId}`;

/**
 * The sums of a range: days as far as they are summed, hours before and after them. In one statement, since days are summed anew
 * when the zone changes. Of the day on which history ends, the hours that are kept are read.
 */
function selectSums(webhook: WebhookKey, { summed, days, zone, reach }: SplitRange): Sql {
  const isOfWebhook = sql`s.organization_id = ${webhook.organizationId} and s.webhook_id = ${webhook.webhookId}`;
  const daysUntil = sql`(select coalesce(max(least(greatest(p.summed_until, ${days.from}), ${days.to})), ${days.from})
    from webhook_day_progress p where p.organization_id = ${webhook.organizationId} and p.zone = ${zone})`;
  const isOfDays = sql`s.day >= ${days.from} and s.day < ${daysUntil}`;
  const daysFrom = sql`coalesce((select min(s.day) from webhook_day s where ${isOfWebhook} and ${isOfDays}), ${daysUntil})`;
  const columns = raw('s.deliveries, s.delivered, s.failed, s.answers, s.durations, s.delays');
  const isVisible = isWithinProjects(reach, raw('s.project_id'));
  return sql`
    select s.day as hour, ${columns} from webhook_day s where ${isOfWebhook} and ${isOfDays} and ${isVisible}
    union all
    select s.hour, ${columns} from webhook_hour s
    where ${isOfWebhook} and s.hour >= ${summed.from} and s.hour < ${daysFrom} and ${isVisible}
    union all
    select s.hour, ${columns} from webhook_hour s
    where ${isOfWebhook} and s.hour >= ${daysUntil} and s.hour < ${summed.to} and ${isVisible}`;
}

const toHour = (time: string): Sql => raw(`date_trunc('hour', ${time}, 'UTC')`);

const toPoint = ({ bucket, zone }: SplitRange): Sql =>
  bucket === 'hour' ? raw('hour') : sql`date_trunc('day', hour, ${zone}::text)`;

/** Deliveries of events of the times: the hour and the state of each. */
const selectDeliveries = (
  { organizationId, webhookId }: WebhookKey,
  { reach, ranges, condition }: Pick<StatsRange, 'reach'> & { ranges: readonly TimeRange[]; condition: Sql },
): Sql =>
  unionRanges(
    ranges,
    ({ from, to }) => sql`
      select ${toHour('d.created_at')} as hour, d.state from webhook_delivery d
      where d.organization_id = ${organizationId} and d.webhook_id = ${webhookId} and ${condition}
        and d.event_id >= ${eventIdFromTime(from)} and d.event_id < ${eventIdFromTime(to)} and ${isDeliveryInReach(reach)}`,
  );

/**
 * Counts deliveries by the time of their event. Sums hold how many were made; which of them are not delivered is looked up,
 * since that changes for days.
 */
export const countDeliveries = (webhook: WebhookKey, range: SplitRange) => sql<{
  at: Date;
  state: DeliveryStatus;
  total: number;
}>`
  with made as (
    select hour, deliveries as total from (${selectSums(webhook, range)}) summed
    union all
    select hour, 1 from (${selectDeliveries(webhook, { ...range, ranges: range.live, condition: raw('true') })}) live),
  undelivered as (
    select hour, state, count(*) as total
    from (${selectDeliveries(webhook, { ...range, ranges: [range], condition: raw("d.state <> 'delivered'") })}) open
    group by 1, 2)
  select ${toPoint(range)} as at, state, sum(total)::bigint as total from (
    select hour, 'delivered' as state, total from made
    union all select hour, 'delivered', -total from undelivered
    union all select hour, state, total from undelivered) counted
  group by 1, 2 having sum(total) > 0 order by 1`;

/** One kind of sum at a time: how many had an answer, a duration or a delay, which `key` says. */
export interface AttemptSumRow {
  at: Date;
  what: 'delivered' | 'failed' | 'answer' | 'duration' | 'delay';
  /** An answer, or the number of a bucket. */
  key: string;
  total: number;
}

/** Sums attempts by the time at which they were made. */
export const sumAttempts = (webhook: WebhookKey, range: SplitRange) => sql<AttemptSumRow>`
  with summed as materialized (${selectSums(webhook, range)}),
  live as materialized (
    select ${toHour('attempted_at')} as hour, acknowledged, answer, duration, delay
    from (${selectMeasured(webhook, range.live, range.reach)}) measured)
  select ${toPoint(range)} as at, what, key, sum(total)::bigint as total from (
    select hour, 'delivered' as what, '' as key, delivered as total from summed where delivered > 0
    union all select hour, 'failed', '', failed from summed where failed > 0
    union all select hour, 'answer', e.key, e.value::bigint from summed cross join lateral jsonb_each_text(answers) e
    union all select hour, 'duration', e.key, e.value::bigint from summed cross join lateral jsonb_each_text(durations) e
    union all select hour, 'delay', e.key, e.value::bigint from summed cross join lateral jsonb_each_text(delays) e
    union all select hour, case when acknowledged then 'delivered' else 'failed' end, '', 1 from live
    union all select hour, 'answer', answer, 1 from live
    union all select hour, 'duration', duration::text, 1 from live
    union all select hour, 'delay', delay::text, 1 from live where delay is not null) counted
  group by 1, 2, 3 order by 1`;
