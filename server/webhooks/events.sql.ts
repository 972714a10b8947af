import type { OrganizationId, PatientId, ProjectId } from '../../contract/ids.ts';
import { sql } from '../storage/sql.ts';

export interface EventRow {
  organizationId: OrganizationId;
  eventId: string;
  projectId: ProjectId;
  patientId: PatientId;
  type: string;
  occurredAt: Date;
  data: Readonly<Record<string, unknown>>;
}

export const insertEvent = (event: EventRow) => sql`
  insert into webhook_event (organization_id, event_id, project_id, patient_id, type, occurred_at, data)
  values (${event.organizationId}, ${event.eventId}, ${event.projectId}, ${event.patientId}, ${event.type},
    ${event.occurredAt}, ${JSON.stringify(event.data)})`;
