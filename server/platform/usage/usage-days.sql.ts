import type { OrganizationId } from '../../../contract/brands.ts';
import type { DayProgress, DayToSum } from '../db/roll-up-days.ts';
import { raw, sql } from '../db/sql.ts';
import { SUMMED_BUCKETS } from './usage.sql.ts';

const NOTHING_SUMMED = raw("'epoch'::timestamptz");

/** Begins the sums of an organization, unless they have begun. */
export const insertProgress = (organizationId: OrganizationId) => sql`
  insert into usage_day_progress (organization_id, zone, summed_until) values (${organizationId}, 'UTC', ${NOTHING_SUMMED})
  on conflict do nothing`;

export const findProgress = (organizationId: OrganizationId) => sql<DayProgress>`
  select zone, summed_until from usage_day_progress where organization_id = ${organizationId}`;

/** Until the end of the transaction nobody else sums days or takes them back. */
export const lockProgress = (organizationId: OrganizationId) => sql<DayProgress>`
  ${findProgress(organizationId)} for update`;

export const updateSummedUntil = (organizationId: OrganizationId, { zone, summed_until }: DayProgress) => sql`
  update usage_day_progress set zone = ${zone}, summed_until = ${summed_until} where organization_id = ${organizationId}`;

/** Takes the sums back from the day that holds an hour on; where it has none, from the last one before it that has. */
export const takeBackSums = (organizationId: OrganizationId, hour: Date) => sql`
  update usage_day_progress p set summed_until = least(p.summed_until, coalesce(
    (select max(d.day) from usage_day d where d.organization_id = p.organization_id and d.day <= ${hour}), ${NOTHING_SUMMED}))
  where p.organization_id = ${organizationId}`;

/** Finds the first hour from a time on that anything was used in. */
export const findFirstHour = (organizationId: OrganizationId, from: Date) => sql<{ hour: Date }>`
  select hour from usage_hour where organization_id = ${organizationId} and hour >= ${from} order by hour limit 1`;

export const deleteDaysFrom = (organizationId: OrganizationId, from: Date) => sql`
  delete from usage_day where organization_id = ${organizationId} and day >= ${from}`;

/** Sums the hours of days. */
export const insertDays = (organizationId: OrganizationId, days: readonly DayToSum[]) => sql`
  insert into usage_day (organization_id, day, kind, name, project_id, client, outcome, count, duration_buckets)
  select ${organizationId}, d.day, u.kind, u.name, u.project_id, u.client, u.outcome, sum(u.count), array[${SUMMED_BUCKETS}]
  from unnest(${days.map(({ begin }) => begin)}::timestamptz[], ${days.map(({ end }) => end)}::timestamptz[]) d(day, next)
  join usage_hour u on u.organization_id = ${organizationId} and u.hour >= d.day and u.hour < d.next
  group by d.day, u.kind, u.name, u.project_id, u.client, u.outcome`;
