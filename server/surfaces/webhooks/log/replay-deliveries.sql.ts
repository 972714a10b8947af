import type { EventId } from '../../../../contract/brands.ts';
import type { DeliveryStatus } from '../../../../contract/webhooks/webhook-deliveries.ts';
import { sql } from '../../../platform/db/sql.ts';
import type { DeliveryKey } from '../delivery/claims.sql.ts';
import { hasState } from './delivery-state.sql.ts';
import type { WebhookKey } from '../registration/webhooks.sql.ts';

/** As if the event had just been told; of a delivery that nobody is at. */
const assignReset = (now: Date) => sql`
  state = 'pending', reason = null, attempts = 0, claims = 0, first_failed_at = null, leased_by = null, due_at = ${now},
  changed_at = ${now}`;

/** Its next attempt, which it is not the first of. */
const assignDueNow = (now: Date) => sql`due_at = ${now}, changed_at = ${now}`;

export const resetDelivery = ({ organizationId, webhookId, eventId }: DeliveryKey, now: Date) => sql`
  update webhook_delivery set ${assignReset(now)}
  where organization_id = ${organizationId} and webhook_id = ${webhookId} and event_id = ${eventId}`;

export const makeDeliveryDue = ({ organizationId, webhookId, eventId }: DeliveryKey, now: Date) => sql`
  update webhook_delivery set ${assignDueNow(now)}
  where organization_id = ${organizationId} and webhook_id = ${webhookId} and event_id = ${eventId}`;

/** What was told from `since` on and before `until`, as far as it is in one state. */
export interface ReplayRange {
  status: Exclude<DeliveryStatus, 'pending'>;
  since: EventId;
  until: EventId;
}

const isInRange = ({ organizationId, webhookId }: WebhookKey, range: ReplayRange) => sql`
  d.organization_id = ${organizationId} and d.webhook_id = ${webhookId} and ${hasState(range.status)}
  and d.event_id >= ${range.since} and d.event_id < ${range.until} and d.leased_by is null`;

export const countInRange = (webhook: WebhookKey, range: ReplayRange) => sql<{ total: number }>`
  select count(*) as total from webhook_delivery d where ${isInRange(webhook, range)}`;

/** The next ones after `after`; answers how many, and the last of them. */
export const replayBatch = (
  webhook: WebhookKey,
  range: ReplayRange,
  { after, limit, now }: { after: EventId; limit: number; now: Date },
) => sql<{ changed: number; last: EventId | null }>`
  with chosen as (
    select d.event_id from webhook_delivery d where ${isInRange(webhook, range)} and d.event_id > ${after}
    order by d.event_id limit ${limit} for update),
  changed as (
    update webhook_delivery d set ${range.status === 'retrying' ? assignDueNow(now) : assignReset(now)} from chosen
    where d.organization_id = ${webhook.organizationId} and d.webhook_id = ${webhook.webhookId}
      and d.event_id = chosen.event_id
    returning d.event_id)
  select count(*) as changed, max(event_id) as last from changed`;
