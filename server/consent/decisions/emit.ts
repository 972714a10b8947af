import type { OrganizationId, PatientId, ProjectId } from '../../../contract/brands.ts';
import type { EventType } from '../../../contract/webhooks/webhook-events.ts';
import type { Tx } from '../../platform/db/db.ts';

export interface NewEvent {
  organizationId: OrganizationId;
  projectId: ProjectId;
  patientId: PatientId;
  type: EventType;
  /** When it happened. */
  occurredAt: Date;
  /** When it is emitted, if later. */
  emittedAt?: Date;
  data: Readonly<Record<string, unknown>>;
}

/**
 * Puts an event into the webhooks' outbox, in the transaction of what it reports: emitted if and only if that happened.
 * The webhooks that it goes to are those that match at that moment.
 */
export type Emit = (tx: Tx, event: NewEvent) => Promise<void>;
