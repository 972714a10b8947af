import type { EventId, OrganizationId, ProjectId } from '../../../../contract/brands.ts';
import type { EventType } from '../../../../contract/webhooks/webhook-events.ts';
import { sql } from '../../../platform/db/sql.ts';
import type { EnvelopeRow } from '../delivery/envelope.ts';

export interface WebhookEventRow extends EnvelopeRow {
  event_id: EventId;
}

interface Filter {
  since: EventId;
  until: EventId;
  after: EventId;
  type: EventType | undefined;
  projectId: ProjectId | undefined;
  limit: number;
}

/** Oldest first. */
export const selectEvents = (organizationId: OrganizationId, filter: Filter) => sql<WebhookEventRow>`
  select organization_id, event_id, project_id, type, occurred_at, data from webhook_event
  where organization_id = ${organizationId}
    and event_id >= ${filter.since} and event_id > ${filter.after} and event_id < ${filter.until}
    and (${filter.type ?? null}::text is null or type = ${filter.type ?? null})
    and (${filter.projectId ?? null}::uuid is null or project_id = ${filter.projectId ?? null}::uuid)
  order by event_id limit ${filter.limit}`;
