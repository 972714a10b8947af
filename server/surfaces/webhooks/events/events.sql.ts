import type { OrganizationReach } from '../../../../contract/audience.ts';
import type {
  EventId,
  OrganizationId,
  PatientId,
  ProjectId,
  WebhookId,
} from '../../../../contract/brands.ts';
import type { EventType } from '../../../../contract/webhooks/webhook-events.ts';
import { narrowToProject } from '../../../identity/organizations/reach.sql.ts';
import { raw, sql, type Sql } from '../../../platform/db/sql.ts';
import { dueNow } from '../../../platform/db/store-clock.ts';
import type { EnvelopeRow } from './envelope.ts';

export interface EventInput {
  organizationId: OrganizationId;
  eventId: EventId;
  projectId: ProjectId;
  /** null: a test event concerns no patient. */
  patientId: PatientId | null;
  type: string;
  occurredAt: Date;
  data: Readonly<Record<string, unknown>>;
  /** When the event is emitted. */
  now: Date;
}

const insertEventRow = (event: EventInput) => sql`
  insert into webhook_event (organization_id, event_id, project_id, patient_id, type, occurred_at, data)
  values (${event.organizationId}, ${event.eventId}, ${event.projectId}, ${event.patientId}, ${event.type},
    ${event.occurredAt}, ${JSON.stringify(event.data)})`;

/**
 * Inserts the event and a delivery for each webhook that subscribes to it, which it returns; the delivery to an inactive
 * webhook is dropped.
 */
export const insertEvent = (event: EventInput) => sql<{ webhook_id: WebhookId }>`
  with event as (${insertEventRow(event)})
  insert into webhook_delivery (organization_id, webhook_id, event_id, state, reason, due_at, created_at, changed_at)
  select w.organization_id, w.webhook_id, ${event.eventId}, case w.status when 'active' then 'pending' else 'dropped' end,
    case w.status when 'active' then null else w.status end, ${dueNow(event.now)}, ${event.now}, ${event.now}
  from webhook w
  where w.organization_id = ${event.organizationId} and ${event.type} = any(w.event_types)
    and (w.project_ids is null or ${event.projectId} = any(w.project_ids))
  returning webhook_id`;

/** Inserts an event for one webhook, whatever that subscribes to; its delivery is due later, because the caller attempts it first. */
export const insertTestEvent = (
  event: EventInput,
  { webhookId, dueAt }: { webhookId: WebhookId; dueAt: Date },
) => sql`
  with event as (${insertEventRow(event)})
  insert into webhook_delivery (organization_id, webhook_id, event_id, state, due_at, created_at, changed_at)
  values (${event.organizationId}, ${webhookId}, ${event.eventId}, 'pending', ${dueAt}, ${event.now}, ${event.now})`;

export interface WebhookEventRow extends EnvelopeRow {
  event_id: EventId;
}

interface EventFilter {
  since: EventId;
  until: EventId;
  after: EventId;
  type: EventType | undefined;
  projectId: ProjectId | undefined;
  limit: number;
}

/** A page of the events of a project (SQL; null: of all), in the order of an index, oldest first. */
const selectEventPage = (
  organizationId: OrganizationId,
  filter: EventFilter,
  projectId: Sql | null,
) => sql<WebhookEventRow>`
  select organization_id, event_id, project_id, type, occurred_at, data from webhook_event
  where organization_id = ${organizationId} and ${projectId === null ? raw('true') : sql`project_id = ${projectId}`}
    and event_id >= ${filter.since} and event_id > ${filter.after} and event_id < ${filter.until}
    and (${filter.type ?? null}::text is null or type = ${filter.type ?? null})
  order by event_id limit ${filter.limit}`;

/** Oldest first. Of some projects a page of each is read: they may have few among millions, which nobody else's are read for. */
export function selectEvents(reach: OrganizationReach, filter: EventFilter): Sql<WebhookEventRow> {
  const projects = narrowToProject(reach, filter.projectId);
  if (projects === null) return selectEventPage(reach.organizationId, filter, null);
  return sql`
    select e.* from unnest(${projects}::uuid[]) p(id)
    cross join lateral (${selectEventPage(reach.organizationId, filter, raw('p.id'))}) e
    order by e.event_id limit ${filter.limit}`;
}
