import type { EventId, ProjectId } from '../../../../contract/brands.ts';
import type { DeliveryReason, DeliveryStatus } from '../../../../contract/webhooks/webhook-deliveries.ts';
import { raw, sql } from '../../../platform/db/sql.ts';
import type { DeliveryKey } from '../delivery/claims.sql.ts';
import type { EnvelopeRow } from '../delivery/envelope.ts';
import { hasState } from './delivery-state.sql.ts';
import { MAX_EVENT_ID } from '../events/event-id-range.ts';
import type { AttemptRow } from '../delivery/results.sql.ts';
import type { WebhookKey } from '../registration/webhooks.sql.ts';

export interface DeliveryRow extends EnvelopeRow {
  webhook_id: WebhookKey['webhookId'];
  event_id: EventId;
  project_id: ProjectId;
  state: DeliveryStatus;
  reason: DeliveryReason | null;
  attempts: number;
  due_at: Date;
  /** The node that is at it. */
  leased_by: string | null;
  created_at: Date;
  changed_at: Date;
}

const columns = sql`
  d.organization_id, d.webhook_id, d.event_id, d.state, d.reason, d.attempts, d.due_at, d.leased_by, d.created_at,
  d.changed_at, e.project_id, e.type, e.occurred_at, e.data`;

const joinEvent = sql`join webhook_event e on e.organization_id = d.organization_id and e.event_id = d.event_id`;

interface Page {
  status: DeliveryStatus | undefined;
  /** null: from the newest on. */
  before: EventId | null;
  limit: number;
}

/** The most in one page, and one more. */
const MAX_PAGE_ROWS = raw('1001');

/**
 * The newest first. A page of a length that is bound is a tenth of the table to the planner, who would read all events to
 * join them: so it is told the longest.
 */
export const selectDeliveries = ({ organizationId, webhookId }: WebhookKey, page: Page) => sql<DeliveryRow>`
  select ${columns} from (
    select * from webhook_delivery d
    where d.organization_id = ${organizationId} and d.webhook_id = ${webhookId}
      and d.event_id < ${page.before ?? MAX_EVENT_ID} and ${hasState(page.status)}
    order by d.event_id desc limit ${MAX_PAGE_ROWS}) d ${joinEvent}
  order by d.event_id desc limit ${page.limit}`;

export const findDelivery = ({ organizationId, webhookId, eventId }: DeliveryKey) => sql<DeliveryRow>`
  select ${columns} from webhook_delivery d ${joinEvent}
  where d.organization_id = ${organizationId} and d.webhook_id = ${webhookId} and d.event_id = ${eventId}`;

export const lockDelivery = (key: DeliveryKey) => sql<DeliveryRow>`${findDelivery(key)} for update of d`;

/** The newest first. */
export const selectAttempts = ({ organizationId, webhookId, eventId }: DeliveryKey) => sql<AttemptRow>`
  select organization_id, webhook_id, event_id, attempt_id, delivery_attempt, attempted_at, duration_ms, url, fault, status,
    response_headers, response_body, response_truncated
  from webhook_attempt
  where organization_id = ${organizationId} and webhook_id = ${webhookId} and event_id = ${eventId}
  order by attempted_at desc, attempt_id desc`;
