import type { OrganizationId } from '../../../../contract/brands.ts';
import type { DayProgress, DayToSum } from '../../../platform/db/roll-up-days.ts';
import { raw, sql } from '../../../platform/db/sql.ts';
import type { WebhookKey } from '../webhooks.sql.ts';

/** Begins the sums of an organization, unless they have begun. */
export const insertProgress = (organizationId: OrganizationId) => sql`
  insert into webhook_day_progress (organization_id, zone, summed_until) values (${organizationId}, 'UTC', 'epoch')
  on conflict do nothing`;

/** Until the end of the transaction nobody else sums days. */
export const lockProgress = (organizationId: OrganizationId) => sql<DayProgress>`
  select zone, summed_until from webhook_day_progress where organization_id = ${organizationId} for update`;

export const updateSummedUntil = (organizationId: OrganizationId, { zone, summed_until }: DayProgress) => sql`
  update webhook_day_progress set zone = ${zone}, summed_until = ${summed_until} where organization_id = ${organizationId}`;

/** Finds the first hour from a time on that there are sums of. */
export const findFirstHour = (organizationId: OrganizationId, from: Date) => sql<{ hour: Date }>`
  select h.hour from webhook w cross join lateral (
    select s.hour from webhook_hour s
    where s.organization_id = w.organization_id and s.webhook_id = w.webhook_id and s.hour >= ${from}
    order by s.hour limit 1) h
  where w.organization_id = ${organizationId} order by h.hour limit 1`;

export const deleteDaysFrom = (organizationId: OrganizationId, from: Date) => sql`
  delete from webhook_day where organization_id = ${organizationId} and day >= ${from}`;

/** Sums the hours of days. */
export const insertDays = (organizationId: OrganizationId, days: readonly DayToSum[]) => sql`
  with part as materialized (
    select h.webhook_id, d.day, h.project_id, h.deliveries, h.delivered, h.failed, h.answers, h.durations, h.delays
    from webhook w
    cross join unnest(${days.map(({ begin }) => begin)}::timestamptz[], ${days.map(({ end }) => end)}::timestamptz[]) d(day, next)
    join webhook_hour h on h.organization_id = ${organizationId} and h.webhook_id = w.webhook_id
      and h.hour >= d.day and h.hour < d.next
    where w.organization_id = ${organizationId}),
  counted as (
    select webhook_id, day, project_id, sum(deliveries) as deliveries, sum(delivered) as delivered, sum(failed) as failed
    from part group by 1, 2, 3),
  answered as (${addCounts('answers')}), lasted as (${addCounts('durations')}), delayed as (${addCounts('delays')})
  insert into webhook_day (organization_id, webhook_id, day, project_id, deliveries, delivered, failed, answers, durations, delays)
  select ${organizationId}, webhook_id, day, project_id, deliveries, delivered, failed,
    coalesce(answered.counts, '{}'), coalesce(lasted.counts, '{}'), coalesce(delayed.counts, '{}')
  from counted
  left join answered using (webhook_id, day, project_id)
  left join lasted using (webhook_id, day, project_id)
  left join delayed using (webhook_id, day, project_id)`;

function addCounts(column: 'answers' | 'durations' | 'delays') {
  return raw(`select webhook_id, day, project_id, jsonb_object_agg(key, total) as counts
    from (select p.webhook_id, p.day, p.project_id, e.key, sum(e.value::bigint) as total
      from part p cross join lateral jsonb_each_text(p.${column}) e group by 1, 2, 3, 4) added group by 1, 2, 3`);
}

/** Deletes the sums of days of which not all is kept; of what is kept there are hours. */
export const deleteDaysBefore = (before: Date) => sql`delete from webhook_day where day < ${before}`;

export const deleteDays = ({ organizationId, webhookId }: WebhookKey) => sql`
  delete from webhook_day where organization_id = ${organizationId} and webhook_id = ${webhookId}`;
