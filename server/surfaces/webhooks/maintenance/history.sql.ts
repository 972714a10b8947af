import type { EventId, OrganizationId, WebhookId } from '../../../../contract/brands.ts';
import { raw, sql, type Sql } from '../../../platform/db/sql.ts';

/** Organizations that have events from before. */
export const selectOrganizationsWithEvents = (before: EventId) => sql<{ organization_id: OrganizationId }>`
  select o.organization_id from organization o
  where exists (select from webhook_event e where e.organization_id = o.organization_id and e.event_id < ${before})
  order by o.organization_id`;

/** One step on the primary key for each webhook. */
const selectWebhookIds = (table: Sql, organizationId: OrganizationId): Sql => sql`
  select webhook_id from (
    with recursive found(webhook_id) as (
      (select webhook_id from ${table} where organization_id = ${organizationId} order by webhook_id limit 1)
      union all
      select (select t.webhook_id from ${table} t
        where t.organization_id = ${organizationId} and t.webhook_id > found.webhook_id order by t.webhook_id limit 1)
      from found where found.webhook_id is not null)
    select webhook_id from found where webhook_id is not null) walked`;

/** Webhooks that there are deliveries or attempts of, also of those that are no more. */
export const selectWebhooksWithHistory = (organizationId: OrganizationId) => sql<{ webhook_id: WebhookId }>`
  ${selectWebhookIds(raw('webhook_delivery'), organizationId)}
  union ${selectWebhookIds(raw('webhook_attempt'), organizationId)}`;

/** Events of an organization by their ids: `after` is not among them, `last` is. */
export interface EventChunk {
  organizationId: OrganizationId;
  after: EventId;
  last: EventId;
}

/** Where a stretch of at most so many events ends; null: there is none. */
export const findChunkEnd = (
  { organizationId, after }: Omit<EventChunk, 'last'>,
  { before, limit }: { before: EventId; limit: number },
) => sql<{ last: EventId | null }>`
  select max(event_id) as last from (
    select event_id from webhook_event
    where organization_id = ${organizationId} and event_id > ${after} and event_id < ${before}
    order by event_id limit ${limit}) stretch`;

const isInChunk = (row: Sql, { organizationId, after, last }: EventChunk): Sql => sql`
  ${row}.organization_id = ${organizationId} and ${row}.event_id > ${after} and ${row}.event_id <= ${last}`;

/** What is still to be sent stays, unless there is nobody any more that it is sent to. */
export const deleteSettledDeliveries = (chunk: EventChunk, webhookIds: readonly WebhookId[]) => sql`
  delete from webhook_delivery d
  where ${isInChunk(raw('d'), chunk)} and d.webhook_id = any(${webhookIds}::uuid[])
    and (d.state in ('delivered', 'dropped', 'exhausted') or not exists (
      select from webhook w where w.organization_id = ${chunk.organizationId} and w.webhook_id = d.webhook_id))`;

/**
 * Deliveries that have stayed, as a list to be hashed: row by row they are looked for slowly where the planner has no
 * statistics, and with them it reads those of all times.
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
