import type { OrganizationId } from '../../../contract/brands.ts';
import { raw, sql, type Sql } from '../db/sql.ts';

/** Stands in the key for what is of no project. */
export const NO_PROJECT = '00000000-0000-0000-0000-000000000000';

export interface UsageRow {
  organization_id: string;
  hour: string;
  kind: string;
  name: string;
  project_id: string;
  client: string;
  outcome: 'success' | 'refused' | 'failed';
  count: number;
  duration_ms_sum: number;
  duration_buckets: number[];
}

/** Adds counts in one statement. The rows are in the order of their keys. */
export const addUsage = (rows: readonly UsageRow[]) => sql`
  insert into usage_hour as u (organization_id, hour, kind, name, project_id, client, outcome, count, duration_ms_sum, duration_buckets)
  select organization_id, hour, kind, name, project_id, client, outcome, count, duration_ms_sum, duration_buckets
  from json_to_recordset(${JSON.stringify(rows)}::json) as r(organization_id uuid, hour timestamptz, kind text, name text,
    project_id uuid, client text, outcome text, count bigint, duration_ms_sum bigint, duration_buckets bigint[])
  on conflict (organization_id, hour, kind, name, project_id, client, outcome) do update set
    count = u.count + excluded.count, duration_ms_sum = u.duration_ms_sum + excluded.duration_ms_sum,
    duration_buckets = array(
      select one + other from unnest(u.duration_buckets, excluded.duration_buckets) with ordinality as t(one, other, place)
      order by place)`;

export interface UsageSumRow {
  at: Date;
  kind: string;
  /** What the counts are grouped by; null where they are not. */
  key: string | null;
  count: number;
  refused: number;
  failed: number;
  duration_buckets: number[];
}

const KEYS = {
  tool: raw('u.name'),
  client: raw('u.client'),
  project: raw('u.project_id::text'),
  outcome: raw('u.outcome'),
} as const;

export type UsageKey = keyof typeof KEYS;

/** Of rows `u`, bucket by bucket. */
export const SUMMED_BUCKETS = raw(
  Array.from({ length: 12 }, (_bucket, index) => `sum(u.duration_buckets[${index + 1}])`).join(', '),
);

const toBucket = ({ bucket, from, zone }: Pick<UsageRange, 'bucket' | 'from' | 'zone'>) => {
  if (bucket === 'total') return sql`${from}::timestamptz`;
  return bucket === 'hour' ? raw('u.hour') : sql`date_trunc('day', u.hour, ${zone}::text)`;
};

export interface UsageRange {
  from: Date;
  /** Exclusive. */
  to: Date;
  /** The days of the zone that lie in the range as a whole. */
  days: { from: Date; to: Date };
  bucket: 'hour' | 'day' | 'total';
  /** A name of the IANA database. */
  zone: string;
}

export interface UsageFilter {
  kind?: string | undefined;
  projectId?: string | undefined;
  client?: string | undefined;
  /** One of these. */
  clients?: readonly string[] | undefined;
  /** On a row `u`. */
  condition?: Sql;
}

/**
 * The rows of a range: days where they are summed, hours before and after them. One statement, since a day that was added to
 * is taken back.
 */
function selectUsage(
  organizationId: OrganizationId,
  { from, to, days, zone }: UsageRange,
  { kind, projectId, client, clients, condition = raw('true') }: UsageFilter,
): Sql {
  const rest = sql`u.organization_id = ${organizationId} and ${condition}
    and ${kind === undefined ? raw('true') : sql`u.kind = ${kind}`}
    and ${projectId === undefined ? raw('true') : sql`u.project_id = ${projectId}`}
    and ${client === undefined ? raw('true') : sql`u.client = ${client}`}
    and ${clients === undefined ? raw('true') : sql`u.client = any(${clients}::text[])`}`;
  const summedUntil = sql`(select coalesce(max(least(greatest(p.summed_until, ${days.from}), ${days.to})), ${days.from})
    from usage_day_progress p where p.organization_id = ${organizationId} and p.zone = ${zone})`;
  const columns = raw('u.kind, u.name, u.project_id, u.client, u.outcome, u.count, u.duration_buckets');
  return sql`
    select u.day as hour, ${columns} from usage_day u where u.day >= ${days.from} and u.day < ${summedUntil} and ${rest}
    union all
    select u.hour, ${columns} from usage_hour u where u.hour >= ${from} and u.hour < ${days.from} and ${rest}
    union all
    select u.hour, ${columns} from usage_hour u where u.hour >= ${summedUntil} and u.hour < ${to} and ${rest}`;
}

/** Sums an organization's usage by hours or by days of a zone or in all, and by a key. An hour that begins in a day is counted in it. */
export const sumUsage = (
  organizationId: OrganizationId,
  range: UsageRange,
  { by, ...filter }: UsageFilter & { by: UsageKey | null },
) => sql<UsageSumRow>`
  select ${toBucket(range)} as at, u.kind,
    ${by === null ? raw('null::text') : KEYS[by]} as key, sum(u.count)::bigint as count,
    coalesce(sum(u.count) filter (where u.outcome = 'refused'), 0)::bigint as refused,
    coalesce(sum(u.count) filter (where u.outcome = 'failed'), 0)::bigint as failed,
    array[${SUMMED_BUCKETS}]::float8[] as duration_buckets
  from (${selectUsage(organizationId, range, filter)}) u
  group by 1, 2, 3 order by 1, 2, 3`;
