import type { OrganizationReach } from '../../../../contract/audience.ts';
import { isWithinProjects } from '../../../identity/organizations/reach.sql.ts';
import { raw, sql, type Sql } from '../../../platform/db/sql.ts';
import type { WebhookKey } from '../webhooks.sql.ts';
import { ANSWER } from './deliveries.sql.ts';
import { toBucket } from './histogram.ts';

/** Milliseconds from the event to its first attempt; null for any other. Looked up for each row: joined, all would be read. */
const DELAY = raw(`case when a.delivery_attempt = 1 and not exists (
    select from webhook_attempt b where b.organization_id = a.organization_id and b.webhook_id = a.webhook_id
      and b.event_id = a.event_id and b.attempted_at < a.attempted_at)
  then (select greatest(0, extract(epoch from a.attempted_at - d.created_at) * 1000) from webhook_delivery d
    where d.organization_id = a.organization_id and d.webhook_id = a.webhook_id and d.event_id = a.event_id) end`);

export interface TimeRange {
  from: Date;
  /** Exclusive. */
  to: Date;
}

/**
 * The rows of each range in turn. A range that is joined to would be taken for a ninth of the table, and all of the table be
 * read for it.
 */
export const unionRanges = (ranges: readonly TimeRange[], select: (range: TimeRange) => Sql): Sql =>
  ranges.map((range) => sql`(${select(range)})`).reduce((one, other) => sql`${one} union all ${other}`);

/**
 * Returns attempts of a webhook as statistics count them, with the buckets of how long each took and of how long after the
 * event it was made. A delivery that was sent again counts from one again: what is later than the first attempt of all is no
 * delay.
 */
export const selectMeasured = (
  { organizationId, webhookId }: { [Name in keyof WebhookKey]: WebhookKey[Name] | Sql },
  ranges: readonly TimeRange[],
  reach: Pick<OrganizationReach, 'projectIds'>,
): Sql =>
  unionRanges(
    ranges,
    ({ from, to }) => sql`
      select a.organization_id, a.event_id, a.attempted_at, a.fault is null as acknowledged, ${ANSWER} as answer,
        ${toBucket('a.duration_ms')} as duration, ${toBucket('x.delay')} as delay
      from webhook_attempt a cross join lateral (select ${DELAY} as delay) x
      where a.organization_id = ${organizationId} and a.webhook_id = ${webhookId}
        and a.attempted_at >= ${from} and a.attempted_at < ${to}
        and ${
          reach.projectIds === null
            ? raw('true')
            : sql`exists (
                select from webhook_event v where v.organization_id = a.organization_id and v.event_id = a.event_id
                  and ${isWithinProjects(reach, raw('v.project_id'))})`
        }`,
  );
