import type { Emit } from '../../../consent/decisions/new-event.ts';
import { generateEventId } from './event-id.ts';
import { insertEvent } from './events.sql.ts';

/** Creates the function that puts events into the outbox. It calls `wake` after commit: deliveries need not wait for the next poll. */
export const createEmitter =
  (wake: () => void): Emit =>
  async (tx, { emittedAt, ...event }) => {
    const now = emittedAt ?? event.occurredAt;
    await tx.query(insertEvent({ ...event, eventId: generateEventId(now), now }));
    tx.afterCommit(wake);
  };
