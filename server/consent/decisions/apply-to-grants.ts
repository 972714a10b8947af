import type { ConsentStatus, ConsentType } from '../../../contract/account/consent.ts';
import type { DataMask, PatientId, ProjectId } from '../../../contract/brands.ts';
import type { Tx } from '../../platform/db/db.ts';
import { READ_CONSENT_TYPES } from '../access/permits-reading.sql.ts';
import { limitGrants, revokeGrantsOfConsent, type ClientLimits } from '../grants/grants.sql.ts';

/**
 * Denies the authorization requests that rest on a consent, or those of one client; runs in the transaction of the withdrawal
 * or of the disconnection.
 */
export type DenyRequests = (
  tx: Tx,
  consent: { patientId: PatientId; projectId: ProjectId; clientId?: string },
) => Promise<void>;

/** Starts the fetching of what a consent permits to fetch; runs in the transaction of the consent. */
export type FetchRecords = (
  tx: Tx,
  permitted: { patientId: PatientId; projectId: ProjectId },
) => Promise<void>;

interface AppliedDecision {
  patientId: PatientId;
  projectId: ProjectId;
  consentType: ConsentType;
  consentStatus: ConsentStatus;
  withheld: DataMask;
  expiresAt: Date;
  /** What the client that it was made for gets by it; null: it was made for none. */
  client: ClientLimits | null;
  /** Only takes from an earlier consent, so that there is nothing new to fetch. */
  isNarrowing: boolean;
  now: Date;
}

/**
 * A withdrawal revokes the grants that rest on the consent; a consent limits them to what it covers, those of its client to what
 * that gets by it, and fetches what it permits.
 */
export async function applyToGrants(
  tx: Tx,
  { denyRequests, fetchRecords }: { denyRequests: DenyRequests; fetchRecords?: FetchRecords },
  decision: AppliedDecision,
): Promise<void> {
  const { patientId, projectId, consentType, withheld, expiresAt, now } = decision;
  const hasGrants = consentType === 'PATIENT_DIRECTED_DATA_EXCHANGE';
  if (decision.consentStatus === 'OPTED_OUT') {
    if (!hasGrants) return;
    await tx.query(revokeGrantsOfConsent(patientId, projectId, now));
    await denyRequests(tx, { patientId, projectId });
    return;
  }
  if (hasGrants)
    await tx.query(limitGrants({ patientId, projectId }, { withheld, expiresAt }, decision.client));
  if (READ_CONSENT_TYPES.has(consentType) && !decision.isNarrowing)
    await fetchRecords?.(tx, { patientId, projectId });
}
