import type { Clock } from '../kernel/clock.ts';
import { maybeOne, type Db } from '../storage/db.ts';
import type { Emit, NewEvent } from '../webhooks/events/emit.ts';
import { dataScopes, scopesOnWire } from './data-classes.ts';
import { anyExpired, takeExpired, type ExpiredRow } from './expired.sql.ts';

/** A transaction of some 100 ms. */
const MOST_AT_ONCE = 100;

/** Partners learn of each consent whose time has ended, once. Throws `signal`'s reason between two batches. */
export async function tellExpired(
  { db, clock, emit }: { db: Db; clock: Clock; emit: Emit },
  signal: AbortSignal,
): Promise<void> {
  while (await maybeOne(db, anyExpired(clock.now()))) {
    signal.throwIfAborted();
    const told = await db.tx(async (tx) => {
      const now = clock.now();
      const expired = await tx.query(takeExpired(now, MOST_AT_ONCE));
      for (const consent of expired) await emit(tx, expiryOf(consent, now));
      return expired.length;
    });
    // The rest is being decided anew at this moment.
    if (told === 0) return;
  }
}

/** It happened at the end of the consent, whenever it is told. */
export const expiryOf = (consent: ExpiredRow, now: Date): NewEvent => ({
  organizationId: consent.organization_id,
  projectId: consent.project_id,
  patientId: consent.patient_id,
  type: 'consent.expired',
  occurredAt: consent.expires_at,
  toldAt: now,
  data: {
    patientId: consent.patient_id,
    consentType: consent.consent_type,
    consentRecordId: consent.consent_record_id,
    expiredAt: consent.expires_at.toISOString(),
    ...scopesOnWire(dataScopes(consent.resource_scopes, consent.sensitivity_scopes)),
  },
});
