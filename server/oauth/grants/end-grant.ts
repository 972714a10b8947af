import type { GrantId, PatientId } from '../../../contract/ids.ts';
import { maybeOne, type Tx } from '../../storage/db.ts';
import { endGrant, type EndReason } from './grants.sql.ts';
import type { GrantDeps } from './token-deps.ts';

export interface EndedGrant {
  patientId: PatientId;
  grantId: GrantId;
  clientId: string;
  because: EndReason;
}

/** Ends a grant and says so in the log, in one transaction; every access and refresh token of it is dead from then on. */
export async function endGrantIn(tx: Tx, { audit, clock }: GrantDeps, ended: EndedGrant): Promise<void> {
  const row = await maybeOne(tx, endGrant({ ...ended, now: clock.now() }));
  if (!row) return;
  const { patientId, clientId, because } = ended;
  await audit.write(tx, {
    organizationId: row.organization_id,
    action: 'oauth.grant_revoked',
    actor: because === 'client' ? { kind: 'patient', id: patientId } : { kind: 'system', id: 'oauth' },
    client: clientId,
    projectId: row.project_id,
    patientId,
    detail: { because },
  });
}

export const endGrantNow = (deps: GrantDeps, ended: EndedGrant): Promise<void> =>
  deps.db.tx((tx) => endGrantIn(tx, deps, ended));
