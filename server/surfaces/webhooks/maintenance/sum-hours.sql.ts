import type { EventId, OrganizationId } from '../../../../contract/brands.ts';
import { raw, sql } from '../../../platform/db/sql.ts';
import { selectMeasured } from '../log/measured-attempts.sql.ts';
import type { WebhookKey } from '../webhooks.sql.ts';

/** Returns the organizations that have webhooks. */
export const selectOrganizationsWithWebhooks = () => sql<{ organization_id: OrganizationId }>`
  select distinct organization_id from webhook order by 1`;

export const findOldestEvent = (organizationId: OrganizationId) => sql<{ event_id: EventId }>`
  select event_id from webhook_event where organization_id = ${organizationId} order by event_id limit 1`;

/** Begins the sums of an organization, unless they have begun. */
export const insertProgress = (organizationId: OrganizationId, summedUntil: Date) => sql`
  insert into webhook_hour_progress (organization_id, summed_until) values (${organizationId}, ${summedUntil})
  on conflict do nothing`;

export interface HourProgress {
  /** Hours before it are in `webhook_hour`. */
  summed_until: Date;
}

/** Nobody else sums further meanwhile. */
export const lockProgress = (organizationId: OrganizationId) => sql<HourProgress>`
  select summed_until from webhook_hour_progress where organization_id = ${organizationId} for update`;

export const updateSummedUntil = (organizationId: OrganizationId, summedUntil: Date) => sql`
  update webhook_hour_progress set summed_until = ${summedUntil} where organization_id = ${organizationId}`;

/** Of the event of a row; joined, the planner would read all events of the organization for it. */
const findProject = (row: 'd' | 'm') =>
  raw(
    `(select v.project_id from webhook_event v where v.organization_id = ${row}.organization_id and v.event_id = ${row}.event_id)`,
  );

export interface Hours {
  /** When each begins. */
  hours: readonly Date[];
  /** The smallest event id of each, and of the hour after. */
  firstIds: readonly EventId[];
  nextIds: readonly EventId[];
  from: Date;
  /** Exclusive. */
  to: Date;
}

/** Sums deliveries and attempts of an organization's webhooks by the hour and the project. */
export const insertHours = (
  organizationId: OrganizationId,
  { hours, firstIds, nextIds, from, to }: Hours,
) => sql`
  with emitted as (
    select w.webhook_id, p.hour, ${findProject('d')} as project_id, count(*) as deliveries
    from webhook w
    cross join unnest(${hours}::timestamptz[], ${firstIds}::text[], ${nextIds}::text[]) p(hour, first_id, next_id)
    join webhook_delivery d on d.organization_id = ${organizationId} and d.webhook_id = w.webhook_id
      and d.event_id >= p.first_id and d.event_id < p.next_id
    where w.organization_id = ${organizationId} group by 1, 2, 3),
  measured as materialized (
    select w.webhook_id, date_trunc('hour', m.attempted_at, 'UTC') as hour, ${findProject('m')} as project_id, m.acknowledged, m.answer, m.duration, m.delay
    from webhook w
    cross join lateral (${selectMeasured({ organizationId, webhookId: raw('w.webhook_id') }, [{ from, to }], { projectIds: null })}) m
    where w.organization_id = ${organizationId}),
  attempted as (
    select webhook_id, hour, project_id, count(*) filter (where acknowledged) as delivered,
      count(*) filter (where not acknowledged) as failed
    from measured group by 1, 2, 3),
  answered as (${aggregateCounts('answer')}), lasted as (${aggregateCounts('duration')}), delayed as (${aggregateCounts('delay')})
  insert into webhook_hour (organization_id, webhook_id, hour, project_id, deliveries, delivered, failed, answers, durations, delays)
  select ${organizationId}, webhook_id, hour, project_id, coalesce(deliveries, 0), coalesce(delivered, 0), coalesce(failed, 0),
    coalesce(answered.counts, '{}'), coalesce(lasted.counts, '{}'), coalesce(delayed.counts, '{}')
  from emitted full join attempted using (webhook_id, hour, project_id)
  left join answered using (webhook_id, hour, project_id)
  left join lasted using (webhook_id, hour, project_id)
  left join delayed using (webhook_id, hour, project_id)`;

function aggregateCounts(column: 'answer' | 'duration' | 'delay') {
  return raw(`select webhook_id, hour, project_id, jsonb_object_agg(key, total) as counts
    from (select webhook_id, hour, project_id, ${column}::text as key, count(*) as total
      from measured where ${column} is not null group by 1, 2, 3, 4) counted group by 1, 2, 3`);
}

/** Deletes the sums of hours of which nothing else is kept. */
export const deleteHoursBefore = (before: Date) => sql`delete from webhook_hour where hour < ${before}`;

export const deleteHours = ({ organizationId, webhookId }: WebhookKey) => sql`
  delete from webhook_hour where organization_id = ${organizationId} and webhook_id = ${webhookId}`;
