import type { OrganizationId, PatientId, ProjectId } from '../../../contract/brands.ts';
import type { EventType } from '../../../contract/webhooks/webhook-events.ts';
import type { Tx } from '../../platform/db/db.ts';

export interface NewEvent {
  organizationId: OrganizationId;
  projectId: ProjectId;
  patientId: PatientId;
  type: EventType;
  occurredAt: Date;
  /** Defaults to `occurredAt`. */
  emittedAt?: Date;
  data: Readonly<Record<string, unknown>>;
}

/**
 * Puts an event into the outbox of the webhooks, in the transaction of what it reports, so that it is emitted if and only if
 * that happened. It goes to the webhooks that match at that moment.
 */
export type Emit = (tx: Tx, event: NewEvent) => Promise<void>;
