import type { OrganizationId, ProjectId } from '../../../../contract/brands.ts';
import { sql } from '../../../platform/db/sql.ts';
import { insertEventRow, type EventInput } from '../events/events.sql.ts';
import type { WebhookKey } from './webhooks.sql.ts';

/** An event that goes to one webhook, whatever that subscribes to; due at a later time, for its sender comes first. */
export const insertTestEvent = (
  event: EventInput,
  { webhookId, dueAt }: Pick<WebhookKey, 'webhookId'> & { dueAt: Date },
) => sql`
  with event as (${insertEventRow(event)})
  insert into webhook_delivery (organization_id, webhook_id, event_id, state, due_at, created_at, changed_at)
  values (${event.organizationId}, ${webhookId}, ${event.eventId}, 'pending', ${dueAt}, ${event.now}, ${event.now})`;

/** Of these projects, or of all; null: all. */
export const findOldestProject = (
  organizationId: OrganizationId,
  projectIds: readonly ProjectId[] | null,
) => sql<{
  project_id: ProjectId;
}>`
  select project_id from project
  where organization_id = ${organizationId}
    and (${projectIds}::uuid[] is null or project_id = any(${projectIds}::uuid[]))
  order by created_at, project_id limit 1`;
