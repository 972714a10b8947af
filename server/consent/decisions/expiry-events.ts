import type { Clock } from '../../platform/kernel/clock.ts';
import { maybeOne, type Db } from '../../platform/db/db.ts';
import type { Emit, NewEvent } from './emit.ts';
import { toDataScopes, toScopesDto } from '../access/sensitivity-labels.ts';
import { hasExpiredConsents, claimExpiredConsents, type ExpiredConsentRow } from './expiry-events.sql.ts';

/** A transaction of some 100 ms. */
const MAX_BATCH = 100;

/** Partners learn of each consent whose time has ended, once. Throws `signal`'s reason between two batches. */
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
    // The rest is being decided anew at this moment.
    if (emittedCount === 0) return;
  }
}

/** It happened at the end of the consent, whenever it is told. */
export const toExpiredEvent = (consent: ExpiredConsentRow, now: Date): NewEvent => ({
  organizationId: consent.organization_id,
  projectId: consent.project_id,
  patientId: consent.patient_id,
  type: 'consent.expired',
  occurredAt: consent.expires_at,
  emittedAt: now,
  data: {
    patientId: consent.patient_id,
    consentType: consent.consent_type,
    consentRecordId: consent.consent_record_id,
    expiredAt: consent.expires_at.toISOString(),
    ...toScopesDto(toDataScopes(consent.resource_scopes, consent.sensitivity_scopes)),
  },
});
