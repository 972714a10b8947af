import type { Tx } from '../../platform/db/db.ts';
import type { Emit } from './emit.ts';
import type { ConsentInForceRow, ConsentRecordRow } from './consent.sql.ts';
import { toScopesDto, type DataScopes } from '../access/sensitivity-labels.ts';
import { toExpiredEvent } from './expiry-events.ts';

interface ConsentEventInput {
  row: ConsentRecordRow;
  scopes: DataScopes;
  /** The decision that this one takes the place of. */
  previous: ConsentInForceRow | null;
  now: Date;
}

/**
 * Partners learn of a consent, and of one that is taken back; not of a withdrawal that takes nothing. What ended before
 * and was not told yet is told first: after this decision nobody could.
 */
export async function emitConsentEvents(
  tx: Tx,
  emit: Emit,
  { row, scopes, previous, now }: ConsentEventInput,
): Promise<void> {
  const isGrant = row.consent_status === 'OPTED_IN';
  const previousGrant = previous?.consent_status === 'OPTED_IN' ? previous : null;
  const wasInForce = previousGrant !== null && previousGrant.expires_at > now;
  if (previousGrant && !wasInForce && !previousGrant.expiry_emitted)
    await emit(tx, toExpiredEvent({ ...row, ...previousGrant }, now));
  if (!isGrant && !wasInForce) return;
  const common = { patientId: row.patient_id, consentType: row.consent_type };
  await emit(tx, {
    organizationId: row.organization_id,
    projectId: row.project_id,
    patientId: row.patient_id,
    occurredAt: now,
    type: isGrant ? 'consent.granted' : 'consent.withdrawn',
    data: isGrant
      ? {
          ...common,
          consentRecordId: row.consent_record_id,
          grantedAt: now.toISOString(),
          expirationTimestamp: row.expires_at.toISOString(),
          ...toScopesDto(scopes),
        }
      : {
          ...common,
          withdrawnAt: now.toISOString(),
          ...toScopesDto(scopes),
          withdrawalSource: 'PATIENT',
          effectiveImmediately: true,
        },
  });
}
