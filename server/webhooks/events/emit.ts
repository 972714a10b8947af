import { ulid } from 'ulid';
import type { EventType } from '../../../contract/webhook-events.ts';
import type { EventId, OrganizationId, PatientId, ProjectId } from '../../../contract/ids.ts';
import type { Tx } from '../../storage/db.ts';
import { insertEvent } from './events.sql.ts';

export interface NewEvent {
  organizationId: OrganizationId;
  projectId: ProjectId;
  patientId: PatientId;
  type: EventType;
  /** When it happened. */
  occurredAt: Date;
  /** When it is told, if later. */
  emittedAt?: Date;
  data: Readonly<Record<string, unknown>>;
}

/**
 * Puts an event into the outbox, in the transaction of what it reports: told if and only if that happened. The webhooks
 * that it goes to are those that match at that moment.
 */
export type Emit = (tx: Tx, event: NewEvent) => Promise<void>;

/** `wake`: deliveries are looked for once the transaction is committed, and not only at the next poll. */
export const createEmitter =
  (wake: () => void): Emit =>
  async (tx, { emittedAt, ...event }) => {
    const now = emittedAt ?? event.occurredAt;
    await tx.query(insertEvent({ ...event, eventId: generateEventId(now), now }));
    tx.afterCommit(wake);
  };

/** Ordered by the time at which events are told, to the millisecond. */
export const generateEventId = (now: Date): EventId => `evt_${ulid(now.getTime())}` as EventId;
