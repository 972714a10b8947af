import type { EventId, OrganizationId, WebhookId } from '../../../../contract/brands.ts';
import { raw, sql, type Sql } from '../../../platform/db/sql.ts';

/** Returns the organizations that have events older than `before`. */
export const selectOrganizationsWithEvents = (before: EventId) => sql<{ organization_id: OrganizationId }>`
  select o.organization_id from organization o
  where exists (select from webhook_event e where e.organization_id = o.organization_id and e.event_id < ${before})
  order by o.organization_id`;

/** Finds the distinct ids with one step on the primary key for each webhook. */
const selectWebhookIds = (table: Sql, organizationId: OrganizationId): Sql => sql`
  select webhook_id from (
    with recursive found(webhook_id) as (
      (select webhook_id from ${table} where organization_id = ${organizationId} order by webhook_id limit 1)
      union all
      select (select t.webhook_id from ${table} t
        where t.organization_id = ${organizationId} and t.webhook_id > found.webhook_id order by t.webhook_id limit 1)
      from found where found.webhook_id is not null)
    select webhook_id from found where webhook_id is not null) walked`;

/** Returns the webhooks that have deliveries or attempts, deleted webhooks included. */
export const selectWebhooksWithHistory = (organizationId: OrganizationId) => sql<{ webhook_id: WebhookId }>`
  ${selectWebhookIds(raw('webhook_delivery'), organizationId)}
  union ${selectWebhookIds(raw('webhook_attempt'), organizationId)}`;

/** A range of an organization's events by id; `after` is excluded, `last` included. */
export interface EventChunk {
  organizationId: OrganizationId;
  after: EventId;
  last: EventId;
}

/** Returns the last id of a chunk of at most `limit` events; null when there are no more. */
export const findChunkEnd = (
  { organizationId, after }: Omit<EventChunk, 'last'>,
  { before, limit }: { before: EventId; limit: number },
) => sql<{ last: EventId | null }>`
  select max(event_id) as last from (
    select event_id from webhook_event
    where organization_id = ${organizationId} and event_id > ${after} and event_id < ${before}
    order by event_id limit ${limit}) chunk`;

const isInChunk = (row: Sql, { organizationId, after, last }: EventChunk): Sql => sql`
  ${row}.organization_id = ${organizationId} and ${row}.event_id > ${after} and ${row}.event_id <= ${last}`;

/** Deletes deliveries that are settled, and every delivery of a deleted webhook. */
export const deleteSettledDeliveries = (chunk: EventChunk, webhookIds: readonly WebhookId[]) => sql`
  delete from webhook_delivery d
  where ${isInChunk(raw('d'), chunk)} and d.webhook_id = any(${webhookIds}::uuid[])
    and (d.state in ('delivered', 'dropped', 'exhausted') or not exists (
      select from webhook w where w.organization_id = ${chunk.organizationId} and w.webhook_id = d.webhook_id))`;

/**
 * The remaining deliveries as a list that PostgreSQL can hash. A correlated subquery is slow without statistics, and with
 * them the planner reads the deliveries of all times.
 */
const selectRemaining = (columns: Sql, chunk: EventChunk, webhookIds: readonly WebhookId[]): Sql => sql`
  select ${columns} from webhook_delivery d where ${isInChunk(raw('d'), chunk)} and d.webhook_id = any(${webhookIds}::uuid[])`;

export const deleteAttemptsWithoutDelivery = (chunk: EventChunk, webhookIds: readonly WebhookId[]) => sql`
  delete from webhook_attempt a
  where ${isInChunk(raw('a'), chunk)} and a.webhook_id = any(${webhookIds}::uuid[])
    and (a.webhook_id, a.event_id) not in (${selectRemaining(raw('d.webhook_id, d.event_id'), chunk, webhookIds)})`;

export const deleteEventsWithoutDelivery = (chunk: EventChunk, webhookIds: readonly WebhookId[]) => sql`
  delete from webhook_event e
  where ${isInChunk(raw('e'), chunk)} and e.event_id not in (${selectRemaining(raw('d.event_id'), chunk, webhookIds)})`;
