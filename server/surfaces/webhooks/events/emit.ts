import { ulid } from 'ulid';
import type { EventId } from '../../../../contract/brands.ts';
import type { Emit } from '../../../consent/decisions/emit.ts';
import { insertEvent } from './events.sql.ts';

/** Returns what puts events into the outbox; `wake` runs after commit, so that deliveries do not wait for the next poll. */
export const createEmitter =
  (wake: () => void): Emit =>
  async (tx, { emittedAt, ...event }) => {
    const now = emittedAt ?? event.occurredAt;
    await tx.query(insertEvent({ ...event, eventId: generateEventId(now), now }));
    tx.afterCommit(wake);
  };

/** Ordered by the time at which events are emitted, to the millisecond. */
export const generateEventId = (now: Date): EventId => `evt_${ulid(now.getTime())}` as EventId;
