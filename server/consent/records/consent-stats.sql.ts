import type { OrganizationReach } from '../../../contract/audience.ts';
import type { DataMask, ProjectId } from '../../../contract/brands.ts';
import { isWithinProjects } from '../../identity/organizations/reach.sql.ts';
import { raw, sql, type Sql } from '../../platform/db/sql.ts';
import { latestNow } from '../../platform/db/store-clock.ts';
import { permitsReading } from '../access/permits-reading.sql.ts';
import { withheldByAllParts } from '../access/withheld.sql.ts';
import { ENROLLMENT_ENDED_FLOW } from '../decisions/decide.ts';

export interface StatsScope {
  reach: OrganizationReach;
  projectId: ProjectId | undefined;
  bucket: 'day' | 'week' | 'month';
  /** A name of the IANA database. */
  zone: string;
  /** Days, inclusive. */
  from: string;
  to: string;
  now: Date;
}

/** A condition on a row `r` with an organization and a project. */
const isInScope = ({
  reach,
  projectId,
}: StatsScope): Sql => sql`r.organization_id = ${reach.organizationId} and ${isWithinProjects(reach, raw('r.project_id'))}
  and ${projectId === undefined ? raw('true') : sql`r.project_id = ${projectId}`}`;

const toStartOfDay = (day: string, zone: string): Sql => sql`(${day}::date::timestamp at time zone ${zone})`;

const toEndOfDay = (day: string, zone: string): Sql =>
  sql`((${day}::date + 1)::timestamp at time zone ${zone})`;

/** The first day of the bucket that a time is in. */
const truncateToBucket = (time: Sql, { bucket, zone }: StatsScope): Sql =>
  sql`to_char(date_trunc(${bucket}::text, ${time} at time zone ${zone}::text), 'YYYY-MM-DD')`;

/** Selects the first days of all buckets, from the one that `from` is in to the one that `to` is in. */
export const selectBuckets = ({ bucket, from, to }: StatsScope, limit: number) => sql<{ start: string }>`
  select to_char(day, 'YYYY-MM-DD') as start
  from generate_series(date_trunc(${bucket}::text, ${from}::date::timestamp), ${to}::date::timestamp, ('1 ' || ${bucket}::text)::interval) as day
  order by day limit ${limit}`;

export interface DecisionCountRow {
  start: string;
  given: number;
  changed: number;
  refused: number;
  withdrawn: number;
  revoked: number;
  /** Given with an end that had passed: over in the moment that they began. */
  ended_at_once: number;
}

/** Counts the decisions of each bucket since `from`, those after `to` too: what is in force now is counted back by them. */
export const countDecisions = (scope: StatsScope) => sql<DecisionCountRow>`
  select ${truncateToBucket(sql`r.decided_at`, scope)} as start,
    count(*) filter (where r.consent_status = 'OPTED_IN' and r.in_force_since = r.decided_at) as given,
    count(*) filter (where r.consent_status = 'OPTED_IN' and r.in_force_since < r.decided_at) as changed,
    count(*) filter (where r.consent_status = 'OPTED_OUT' and r.in_force_since is null) as refused,
    count(*) filter (where r.consent_status = 'OPTED_OUT' and r.in_force_since is not null
      and r.consent_ui_flow <> ${ENROLLMENT_ENDED_FLOW}) as withdrawn,
    count(*) filter (where r.consent_ui_flow = ${ENROLLMENT_ENDED_FLOW}) as revoked,
    count(*) filter (where r.consent_status = 'OPTED_IN' and r.expires_at <= r.decided_at) as ended_at_once
  from consent_record r
  where ${isInScope(scope)} and r.decided_at >= ${toStartOfDay(scope.from, scope.zone)}
  group by 1`;

/** Counts the consents that have ended by time after they were given, by the bucket of their end: those that no decision came before. */
export const countExpired = (scope: StatsScope) => sql<{ start: string; expired: number }>`
  select ${truncateToBucket(sql`r.expires_at`, scope)} as start, count(*) as expired
  from consent_record r
  where ${isInScope(scope)} and r.consent_status = 'OPTED_IN' and r.expires_at > r.decided_at
    and r.expires_at >= ${toStartOfDay(scope.from, scope.zone)} and r.expires_at <= ${latestNow(scope.now)}
    and not exists (
      select from consent_record n
      where n.patient_id = r.patient_id and n.project_id = r.project_id and n.consent_type = r.consent_type
        and n.decided_at > r.decided_at and n.decided_at < r.expires_at)
  group by 1`;

/** Counts the consents in force now, and those that let somebody read, by what they leave out: few differ, however many there are. */
export const countInForce = ({ reach, projectId, now }: StatsScope) => sql<{
  withheld: DataMask;
  consents: number;
  reading: number;
}>`
  select ${withheldByAllParts(now)} as withheld, count(*) as consents, count(*) filter (where ${permitsReading(now)}) as reading
  from consent c join project pr on pr.project_id = c.project_id
  where pr.organization_id = ${reach.organizationId} and ${isWithinProjects(reach, raw('pr.project_id'))}
    and ${projectId === undefined ? raw('true') : sql`pr.project_id = ${projectId}`}
    and c.consent_status = 'OPTED_IN' and c.expires_at > ${latestNow(now)}
  group by 1`;

export interface WithdrawalCountRow {
  flow: string;
  /** The position of its bound, from 0; one more than there are for an older one. */
  age: number;
  count: number;
}

/** A condition: decided on one of the days asked for. */
const isInPeriod = ({ from, to, zone }: StatsScope): Sql =>
  sql`r.decided_at >= ${toStartOfDay(from, zone)} and r.decided_at < ${toEndOfDay(to, zone)}`;

/** Counts withdrawals by page and by the age of the consent. */
export const countWithdrawals = (scope: StatsScope, boundsDays: readonly number[]) => sql<WithdrawalCountRow>`
  select r.consent_ui_flow as flow,
    width_bucket(extract(epoch from r.decided_at - r.in_force_since) / 86400, ${boundsDays}::numeric[]) as age,
    count(*) as count
  from consent_record r
  where ${isInScope(scope)} and ${isInPeriod(scope)}
    and r.consent_status = 'OPTED_OUT' and r.in_force_since is not null
  group by 1, 2`;

/** A condition: decided on the consent page. Whatever was decided without it took no time. */
const isOnPage = raw('r.session_seconds > 0');

/** Measures how long people took to decide; null where nobody did. */
export const selectDecisionTimes = (scope: StatsScope) => sql<{ median: number | null; p90: number | null }>`
  select percentile_cont(0.5) within group (order by r.session_seconds) as median,
    percentile_cont(0.9) within group (order by r.session_seconds) as p90
  from consent_record r
  where ${isInScope(scope)} and ${isInPeriod(scope)} and ${isOnPage}`;

/** Counts decisions by how long they took: the position of the bound, from 0, and one more than there are for a longer one. */
export const countDecisionTimes = (scope: StatsScope, boundsSeconds: readonly number[]) => sql<{
  time: number;
  count: number;
}>`
  select width_bucket(r.session_seconds::numeric, ${boundsSeconds}::numeric[]) as time, count(*) as count
  from consent_record r
  where ${isInScope(scope)} and ${isInPeriod(scope)} and ${isOnPage}
  group by 1`;
