import type { Emit } from '../../../consent/decisions/new-event.ts';
import { generateEventId } from './event-id.ts';
import { insertEvent } from './events.sql.ts';

/**
 * Creates the function that puts events into the outbox. It calls `wake` after commit, so that deliveries need not wait for the
 * next poll; not where no webhook matched, because a claim is planned anew each time, which takes longer than the event.
 */
export const createEmitter =
  (wake: () => void): Emit =>
  async (tx, { emittedAt, ...event }) => {
    const now = emittedAt ?? event.occurredAt;
    const deliveries = await tx.query(insertEvent({ ...event, eventId: generateEventId(now), now }));
    if (deliveries.length > 0) tx.afterCommit(wake);
  };
