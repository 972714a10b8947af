import type { EventId, OrganizationId, WebhookId } from '../../../../contract/brands.ts';
import { sql, type Sql } from '../../../platform/db/sql.ts';
import type { EnvelopeRow } from '../events/envelope.ts';

export interface DeliveryKey {
  organizationId: OrganizationId;
  webhookId: WebhookId;
  eventId: EventId;
}

/** A delivery that a node has claimed, with everything that an attempt needs. */
export interface ClaimedRow extends EnvelopeRow {
  webhook_id: WebhookId;
  event_id: EventId;
  /** Finished attempts. */
  attempts: number;
  /** Claims since the last finished attempt, this one included. */
  claims: number;
  first_failed_at: Date | null;
  created_at: Date;
  /** Due since the event was emitted: neither retried nor sent again. */
  fresh: boolean;
  url: string;
  max_per_second: number | null;
  /** The endpoint has not acknowledged its latest deliveries. */
  failing: boolean;
  /** Newest first. */
  secrets: string[];
}

const isOpen = sql`d.state in ('pending', 'retrying')`;

/** True for a delivery that is open, due, and not leased by a live node. */
export const isDue = (now: Date): Sql => sql`
  ${isOpen} and d.due_at <= ${now} and (d.leased_until is null or d.leased_until <= ${now})`;

/** Takes one step on the index of open deliveries for each active webhook, however long the history or the backlog. */
export const hasDueDeliveries = (now: Date): Sql => sql`
  exists (select from webhook w cross join lateral (
    select from webhook_delivery d where d.webhook_id = w.webhook_id and ${isDue(now)} limit 1) due
    where w.status = 'active')`;

/** A claim need not wait for the disk: one that is lost in a crash of the database is made again. */
const setAsyncCommit = sql`select set_config('synchronous_commit', 'off', true)`;

const returningClaimed = (now: Date): Sql<ClaimedRow> => sql<ClaimedRow>`
  returning d.organization_id, d.webhook_id, d.event_id, d.attempts, d.claims, d.first_failed_at, d.created_at, d.due_at <= d.created_at as fresh, w.url,
    w.max_per_second, w.failing_since is not null as failing, e.project_id, e.type, e.occurred_at, e.data,
    array(select s.secret from webhook_secret s
      where s.organization_id = d.organization_id and s.webhook_id = d.webhook_id
        and (s.expires_at is null or s.expires_at > ${now})
      order by s.created_at desc, s.secret) as secrets`;

export interface ClaimOptions {
  /** This node's worker. */
  worker: string;
  now: Date;
  leaseUntil: Date;
  limit: number;
  /** The most deliveries of failing endpoints, so that these never occupy every worker. */
  maxFailing: number;
  /** For endpoints that the node has a window for: how many more deliveries it may claim of each. */
  known: { webhookIds: readonly string[]; free: readonly number[] };
  /** The same for all other endpoints. */
  unknown: { free: number; freeFailing: number };
  /** Of this node: each takes its share of a limit per second. */
  processes: number;
}

/**
 * Claims due deliveries round-robin: the first of each endpoint, then the second of each, so that one endpoint's backlog
 * does not delay another's deliveries. A delivery whose node died is due again when its lease expires.
 */
export const claimDeliveries = (claim: ClaimOptions) => sql<ClaimedRow>`
  with unhurried as materialized (${setAsyncCommit}), due as (
    select d.*, w.failing_since is not null as failing,
      row_number() over (partition by w.webhook_id order by d.due_at) as turn
    from unhurried cross join webhook w
    left join unnest(${claim.known.webhookIds}::uuid[], ${claim.known.free}::integer[]) k(webhook_id, free)
      on k.webhook_id = w.webhook_id
    cross join lateral (
      select d.organization_id, d.webhook_id, d.event_id, d.due_at from webhook_delivery d
      where d.webhook_id = w.webhook_id and ${isDue(claim.now)}
      order by d.due_at
      limit coalesce(k.free, least(
        case when w.max_per_second is not null then greatest(1, w.max_per_second / ${claim.processes}::integer) end,
        case when w.failing_since is null then ${claim.unknown.free}::integer else ${claim.unknown.freeFailing}::integer end))
      for update skip locked) d
    where w.status = 'active'),
  chosen as (
    select * from (
      select *, row_number() over (partition by failing order by turn, due_at) as position from due) ranked
    where not failing or position <= ${claim.maxFailing}
    order by turn, due_at limit ${claim.limit})
  update webhook_delivery d set leased_by = ${claim.worker}, leased_until = ${claim.leaseUntil}, claims = d.claims + 1
  from chosen c, webhook w, webhook_event e
  where d.organization_id = c.organization_id and d.webhook_id = c.webhook_id and d.event_id = c.event_id
    and w.organization_id = c.organization_id and w.webhook_id = c.webhook_id
    and e.organization_id = c.organization_id and e.event_id = c.event_id
  ${returningClaimed(claim.now)}`;

/** Claims one delivery, also of a webhook that is not active; returns nothing when a node has it. */
export const claimDelivery = (
  { organizationId, webhookId, eventId }: DeliveryKey,
  { worker, now, leaseUntil }: Pick<ClaimOptions, 'worker' | 'now' | 'leaseUntil'>,
) => sql<ClaimedRow>`
  update webhook_delivery d set leased_by = ${worker}, leased_until = ${leaseUntil}, claims = d.claims + 1
  from webhook w, webhook_event e
  where d.organization_id = ${organizationId} and d.webhook_id = ${webhookId} and d.event_id = ${eventId}
    and ${isOpen} and d.leased_by is null
    and w.organization_id = ${organizationId} and w.webhook_id = ${webhookId}
    and e.organization_id = ${organizationId} and e.event_id = ${eventId}
  ${returningClaimed(now)}`;

interface LeasedDeliveries {
  worker: string;
  deliveries: readonly Pick<ClaimedRow, 'organization_id' | 'webhook_id' | 'event_id'>[];
}

const matchLeased = ({ worker, deliveries }: LeasedDeliveries) => sql`
  from unnest(${deliveries.map((row) => row.organization_id)}::uuid[], ${deliveries.map((row) => row.webhook_id)}::uuid[],
    ${deliveries.map((row) => row.event_id)}::text[]) k(organization_id, webhook_id, event_id)
  where d.organization_id = k.organization_id and d.webhook_id = k.webhook_id and d.event_id = k.event_id
    and d.leased_by = ${worker}`;

/** Extends the leases of all attempts under way. */
export const extendLeases = (leased: LeasedDeliveries, leaseUntil: Date) => sql`
  update webhook_delivery d set leased_until = ${leaseUntil} ${matchLeased(leased)}`;

/** Releases deliveries whose attempt was not made or not finished, because the process is stopping. */
export const releaseDeliveries = (leased: LeasedDeliveries) => sql`
  update webhook_delivery d set leased_by = null, leased_until = null, claims = d.claims - 1 ${matchLeased(leased)}`;

export const releaseAllDeliveries = () => sql`
  update webhook_delivery d set leased_by = null, leased_until = null where ${isOpen} and d.leased_by is not null`;

/** Counts in the partial index of undelivered rows, webhook by webhook; delivered and dropped rows are not read. */
export const countDeliveries = () => sql<{ status: string; deliveries: number }>`
  select s.status, coalesce(sum(n.deliveries), 0)::integer as deliveries
  from unnest(array['pending', 'retrying', 'exhausted']) s(status) left join webhook w on true
  left join lateral (
    select count(*) as deliveries from webhook_delivery d
    where d.organization_id = w.organization_id and d.webhook_id = w.webhook_id and d.state = s.status
      and d.state <> 'delivered') n on true
  group by s.status`;

/** Returns how long the oldest unclaimed delivery has been due; null when none is. Those of paused webhooks do not count. */
export const findOldestDueDelivery = (now: Date) => sql<{ due_at: Date | null }>`
  select min(due.due_at) as due_at from webhook w cross join lateral (
    select d.due_at from webhook_delivery d
    where d.webhook_id = w.webhook_id and ${isDue(now)}
    order by d.due_at limit 1) due
  where w.status = 'active'`;
