import type { Clock } from '../../platform/kernel/clock.ts';
import { maybeOne, type Db } from '../../platform/db/db.ts';
import { toExpiredEvent } from './consent-events.ts';
import type { Emit } from './new-event.ts';
import { hasExpiredConsents, claimExpiredConsents } from './consent.sql.ts';

/** A transaction of this many takes about 100 ms. */
const MAX_BATCH = 100;

/** Emits an event for each expired consent, once. Throws the reason of `signal` between two batches. */
export async function emitExpiryEvents(
  { db, clock, emit }: { db: Db; clock: Clock; emit: Emit },
  signal: AbortSignal,
): Promise<void> {
  while (await maybeOne(db, hasExpiredConsents(clock.now()))) {
    signal.throwIfAborted();
    const emittedCount = await db.tx(async (tx) => {
      const now = clock.now();
      const expired = await tx.query(claimExpiredConsents(now, MAX_BATCH));
      for (const consent of expired) await emit(tx, toExpiredEvent(consent, now));
      return expired.length;
    });
    // The rest is being decided on at this moment.
    if (emittedCount === 0) return;
  }
}
