import type { EventId } from '../../../contract/ids.ts';
import type { DeliveryStatus } from '../../../contract/webhook-deliveries.ts';
import { sql } from '../../storage/sql.ts';
import type { DeliveryKey } from '../delivery/claims.sql.ts';
import { inState } from './delivery-state.sql.ts';
import type { WebhookKey } from '../registration/webhooks.sql.ts';

/** As if the event had just been told; of a delivery that nobody is at. */
const anew = (now: Date) => sql`
  state = 'pending', reason = null, attempts = 0, claims = 0, first_failed_at = null, leased_by = null, due_at = ${now},
  changed_at = ${now}`;

/** Its next attempt, which it is not the first of. */
const hurried = (now: Date) => sql`due_at = ${now}, changed_at = ${now}`;

export const sendAnew = ({ organizationId, webhookId, eventId }: DeliveryKey, now: Date) => sql`
  update webhook_delivery set ${anew(now)}
  where organization_id = ${organizationId} and webhook_id = ${webhookId} and event_id = ${eventId}`;

export const hurryDelivery = ({ organizationId, webhookId, eventId }: DeliveryKey, now: Date) => sql`
  update webhook_delivery set ${hurried(now)}
  where organization_id = ${organizationId} and webhook_id = ${webhookId} and event_id = ${eventId}`;

/** What was told from `since` on and before `until`, as far as it is in one state. */
export interface Range {
  status: Exclude<DeliveryStatus, 'pending'>;
  since: EventId;
  until: EventId;
}

const within = ({ organizationId, webhookId }: WebhookKey, range: Range) => sql`
  d.organization_id = ${organizationId} and d.webhook_id = ${webhookId} and ${inState(range.status)}
  and d.event_id >= ${range.since} and d.event_id < ${range.until} and d.leased_by is null`;

export const countWithin = (webhook: WebhookKey, range: Range) => sql<{ total: number }>`
  select count(*) as total from webhook_delivery d where ${within(webhook, range)}`;

/** The next ones after `after`; answers how many, and the last of them. */
export const replayWithin = (
  webhook: WebhookKey,
  range: Range,
  { after, most, now }: { after: EventId; most: number; now: Date },
) => sql<{ changed: number; last: EventId | null }>`
  with chosen as (
    select d.event_id from webhook_delivery d where ${within(webhook, range)} and d.event_id > ${after}
    order by d.event_id limit ${most} for update),
  changed as (
    update webhook_delivery d set ${range.status === 'retrying' ? hurried(now) : anew(now)} from chosen
    where d.organization_id = ${webhook.organizationId} and d.webhook_id = ${webhook.webhookId}
      and d.event_id = chosen.event_id
    returning d.event_id)
  select count(*) as changed, max(event_id) as last from changed`;
