import type { Tx } from '../storage/db.ts';
import type { Emit } from '../webhooks/events/emit.ts';
import type { ConsentInForceRow, ConsentRecordRow } from './consent.sql.ts';
import { scopesOnWire, type DataScopes } from './data-classes.ts';
import { expiryOf } from './tell-expired.ts';

interface Told {
  row: ConsentRecordRow;
  scopes: DataScopes;
  /** The decision that this one takes the place of. */
  replaced: ConsentInForceRow | null;
  now: Date;
}

/**
 * Partners learn of a consent, and of one that is taken back; not of a withdrawal that takes nothing. What ended before
 * and was not told yet is told first: after this decision nobody could.
 */
export async function tellConsent(tx: Tx, emit: Emit, { row, scopes, replaced, now }: Told): Promise<void> {
  const granted = row.consent_status === 'OPTED_IN';
  const before = replaced?.consent_status === 'OPTED_IN' ? replaced : null;
  const held = before !== null && before.expires_at > now;
  if (before && !held && !before.expiry_told) await emit(tx, expiryOf({ ...row, ...before }, now));
  if (!granted && !held) return;
  const about = { patientId: row.patient_id, consentType: row.consent_type };
  await emit(tx, {
    organizationId: row.organization_id,
    projectId: row.project_id,
    patientId: row.patient_id,
    occurredAt: now,
    type: granted ? 'consent.granted' : 'consent.withdrawn',
    data: granted
      ? {
          ...about,
          consentRecordId: row.consent_record_id,
          grantedAt: now.toISOString(),
          expirationTimestamp: row.expires_at.toISOString(),
          ...scopesOnWire(scopes),
        }
      : {
          ...about,
          withdrawnAt: now.toISOString(),
          ...scopesOnWire(scopes),
          withdrawalSource: 'PATIENT',
          effectiveImmediately: true,
        },
  });
}
