import type { GrantId, PatientId } from '../../../../contract/brands.ts';
import { maybeOne, type Tx } from '../../../platform/db/db.ts';
import { markGrantRevoked, type RevocationReason } from './grants.sql.ts';
import type { GrantDeps } from './token-deps.ts';

export interface GrantRevocation {
  patientId: PatientId;
  grantId: GrantId;
  clientId: string;
  reason: RevocationReason;
}

/** Ends a grant and says so in the log, in one transaction; every access and refresh token of it is dead from then on. */
export async function revokeGrantInTx(
  tx: Tx,
  { audit, clock }: GrantDeps,
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

export const revokeGrant = (deps: GrantDeps, revocation: GrantRevocation): Promise<void> =>
  deps.db.tx((tx) => revokeGrantInTx(tx, deps, revocation));
