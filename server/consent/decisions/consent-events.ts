import type { OrganizationCaller } from '../../../contract/audience.ts';
import type { Tx } from '../../platform/db/db.ts';
import type { Emit, NewEvent } from './new-event.ts';
import type { ConsentInForceRow, ConsentRecordRow, ExpiredConsentRow } from './consent.sql.ts';
import type { ClientGrant } from '../../../contract/data-categories.ts';
import { toScopesDto, type DataScopes } from '../access/sensitivity-labels.ts';
import { getCurrentScopes, listCurrentParts, toStoredConsent, type StoredConsent } from './consent-parts.ts';
import { toGrantDto, toPartsDto } from './grant-dto.ts';

interface ConsentEventInput {
  row: ConsentRecordRow;
  scopes: DataScopes;
  /** The decision that this one replaces. */
  previous: ConsentInForceRow | null;
  now: Date;
  /** The organization that ended the consent; null: the patient decided. */
  endedBy: OrganizationCaller | null;
}

/**
 * Emits the event of a consent, or of a withdrawal unless nothing was in force. An expiry of the previous consent whose event
 * is still due comes first: after this decision nothing would emit it.
 */
export async function emitConsentEvents(
  tx: Tx,
  emit: Emit,
  { row, scopes, previous, now, endedBy }: ConsentEventInput,
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
          ...(row.parts !== null && { parts: toPartsDto(row.parts) }),
        }
      : {
          ...common,
          withdrawnAt: now.toISOString(),
          ...toScopesDto(scopes),
          ...(previousGrant && toSeveralParts(toStoredConsent(previousGrant), now)),
          withdrawalSource: endedBy ? 'ORGANIZATION' : 'PATIENT',
          effectiveImmediately: true,
        },
  });
}

/** What was covered until then, where that were several parts. */
function toSeveralParts(consent: StoredConsent, now: Date): { parts?: ClientGrant[] } {
  const parts = listCurrentParts(consent, now);
  return parts.length > 1 ? { parts: parts.map(toGrantDto) } : {};
}

/** Builds the event of an expiry, which occurred when the consent expired, whenever it is emitted: of what ended then. */
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
    ...toScopesDto(getCurrentScopes(toStoredConsent(consent), consent.expires_at)),
    ...toSeveralParts(toStoredConsent(consent), consent.expires_at),
  },
});
