import { EVENT_API_VERSION } from '../../../../contract/webhooks/webhook-events.ts';
import type { OrganizationId, ProjectId } from '../../../../contract/brands.ts';

export interface EnvelopeRow {
  organization_id: OrganizationId;
  project_id: ProjectId;
  type: string;
  occurred_at: Date;
  /** JSON. */
  data: string;
}

/** Serializes the body of an attempt; `data` is spliced in as it is stored. */
export function serializeEnvelope(event: EnvelopeRow, deliveryAttempt: number): string {
  const { data, ...rest } = {
    type: event.type,
    timestamp: event.occurred_at.toISOString(),
    apiVersion: EVENT_API_VERSION,
    deliveryAttempt,
    organizationId: event.organization_id,
    projectId: event.project_id,
    data: event.data,
  };
  return `${JSON.stringify(rest).slice(0, -1)},"data":${data}}`;
}
