import type { z } from 'zod';
import type { OrganizationReach } from '../../../contract/audience.ts';
import { isUsageRange, type getUsage as contract } from '../../../contract/organization/usage.ts';
import { toEndMoment, toFirstMoment } from '../../../contract/day-or-instant.ts';
import { defaultFrom } from '../../../contract/default-range.ts';
import type { UsageKind } from '../../../contract/organization/usage-kind.ts';
import { startOfDay, toDay } from '../../../contract/time-zone.ts';
import { getTimeZone } from '../../identity/organizations/time-zone.ts';
import { isWithinProjects } from '../../identity/organizations/reach.sql.ts';
import { findAskedClients } from '../../consent/grants/app-clients.ts';
import type { Db } from '../../platform/db/db.ts';
import { raw } from '../../platform/db/sql.ts';
import { findWholeDays } from '../../platform/db/whole-days.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { invalidInput } from '../../platform/kernel/refusal.ts';
import { estimatePercentile } from '../../platform/usage/duration-buckets.ts';
import { NO_PROJECT, sumUsage, type UsageSumRow } from '../../platform/usage/usage.sql.ts';
import { findClientNames, findProjectNames } from './usage-names.sql.ts';

type UsageQuery = z.infer<(typeof contract)['query']>;
type UsageAnswer = z.input<(typeof contract)['response']>;

const HOUR_MS = 3600 * 1000;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns what the organization used, in hours or in days of its time zone. Throws `invalid_input` for a range that is too long. */
export async function getUsage(
  { db, clock }: { db: Db; clock: Clock },
  reach: OrganizationReach,
  { by, bucket, appId, client, from: asked, to: last, ...filter }: UsageQuery,
): Promise<UsageAnswer> {
  const { organizationId } = reach;
  const zone = await getTimeZone(db, organizationId);
  const to = last === undefined ? clock.now() : toEndMoment(last, zone);
  const first = asked === undefined ? defaultFrom(to) : toFirstMoment(asked, zone);
  if (!isUsageRange({ from: first, to }, bucket))
    throw invalidInput([{ path: 'to', message: 'must be after `from`, and not too long after it' }]);
  const from = toFirst(first, { bucket, zone });
  const range = { from, to, bucket, zone, days: findWholeDays({ from, to, bucket, zone }) };
  const condition = isWithinProjects(reach, raw('u.project_id'));
  const clients = await findAskedClients(db, { organizationId, client, appId });
  const rows = await db.query(
    sumUsage(organizationId, range, { ...filter, ...clients, condition, by: by ?? null }),
  );
  const results = rows.map(toResult);
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    zone,
    results,
    names: await findNames(db, organizationId, { by, keys: results.map(({ key }) => key) }),
  };
}

/** The beginning of the hour or day that a time is in; a total begins with an hour, whatever the zone. */
const toFirst = (time: Date, { bucket, zone }: { bucket: UsageQuery['bucket']; zone: string }): Date =>
  bucket !== 'day'
    ? new Date(Math.floor(time.getTime() / HOUR_MS) * HOUR_MS)
    : startOfDay(toDay(time, zone), zone);

const toResult = (row: UsageSumRow) => ({
  at: row.at.toISOString(),
  kind: row.kind as UsageKind,
  key: row.key === NO_PROJECT || row.key === '' ? null : row.key,
  count: row.count,
  refused: row.refused,
  failed: row.failed,
  p50Ms: estimatePercentile(row.duration_buckets, 0.5),
  p95Ms: estimatePercentile(row.duration_buckets, 0.95),
});

async function findNames(
  db: Db,
  organizationId: OrganizationReach['organizationId'],
  { by, keys }: { by: UsageQuery['by']; keys: readonly (string | null)[] },
): Promise<Record<string, string>> {
  if (by !== 'project' && by !== 'client') return {};
  const ids = [...new Set(keys)].filter((key) => key !== null && UUID.test(key)) as string[];
  const rows = await db.query(by === 'project' ? findProjectNames(organizationId) : findClientNames(ids));
  return Object.fromEntries(rows.map(({ key, name }) => [key, name]));
}
