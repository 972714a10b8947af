import type { GrantId, PatientId } from '../../../contract/brands.ts';
import type { Audit } from '../../platform/audit/append.ts';
import { maybeOne, type Tx } from '../../platform/db/db.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { markGrantRevoked, type RevocationReason } from './grants.sql.ts';

export interface GrantRevocation {
  patientId: PatientId;
  grantId: GrantId;
  clientId: string;
  reason: RevocationReason;
}

interface Deps {
  clock: Clock;
  audit: Audit;
}

/** Revokes a grant with all its access and refresh tokens, and audits it, in the caller's transaction. */
export async function revokeGrant(
  tx: Tx,
  { audit, clock }: Deps,
  revocation: GrantRevocation,
): Promise<void> {
  const row = await maybeOne(tx, markGrantRevoked({ ...revocation, now: clock.now() }));
  if (!row) return;
  const { patientId, clientId, reason } = revocation;
  await audit.write(tx, {
    organizationId: row.organization_id,
    action: 'oauth.grant_revoked',
    actor: reason === 'client' ? { kind: 'patient', id: patientId } : { kind: 'system', id: 'oauth' },
    client: clientId,
    projectId: row.project_id,
    patientId,
    detail: { because: reason },
  });
}
