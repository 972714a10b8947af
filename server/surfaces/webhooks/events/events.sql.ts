import type { EventId, OrganizationId, PatientId, ProjectId } from '../../../../contract/brands.ts';
import { sql } from '../../../platform/db/sql.ts';

export interface EventInput {
  organizationId: OrganizationId;
  eventId: EventId;
  projectId: ProjectId;
  /** null: a test is of nobody. */
  patientId: PatientId | null;
  type: string;
  occurredAt: Date;
  data: Readonly<Record<string, unknown>>;
  /** When it is told. */
  now: Date;
}

export const insertEventRow = (event: EventInput) => sql`
  insert into webhook_event (organization_id, event_id, project_id, patient_id, type, occurred_at, data)
  values (${event.organizationId}, ${event.eventId}, ${event.projectId}, ${event.patientId}, ${event.type},
    ${event.occurredAt}, ${JSON.stringify(event.data)})`;

/** The event, and a delivery for each webhook of its organization that it is for; dropped where that is not active. */
export const insertEvent = (event: EventInput) => sql`
  with event as (${insertEventRow(event)})
  insert into webhook_delivery (organization_id, webhook_id, event_id, state, reason, due_at, created_at, changed_at)
  select w.organization_id, w.webhook_id, ${event.eventId}, case w.status when 'active' then 'pending' else 'dropped' end,
    case w.status when 'active' then null else w.status end, ${event.now}, ${event.now}, ${event.now}
  from webhook w
  where w.organization_id = ${event.organizationId} and ${event.type} = any(w.event_types)
    and (w.project_ids is null or ${event.projectId} = any(w.project_ids))`;
