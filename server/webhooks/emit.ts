import { ulid } from 'ulid';
import type { Tx } from '../storage/db.ts';
import { insertEvent, type EventRow } from './events.sql.ts';

/** Puts an event into the outbox, in the transaction of what it reports: told if and only if that happened. */
export async function emit(tx: Tx, event: Omit<EventRow, 'eventId'>): Promise<void> {
  await tx.query(insertEvent({ ...event, eventId: `evt_${ulid(event.occurredAt.getTime())}` }));
}
