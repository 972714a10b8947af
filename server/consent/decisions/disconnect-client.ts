import type { PatientId, ProjectId } from '../../../contract/brands.ts';
import type { Audit } from '../../platform/audit/append.ts';
import { maybeOne, type Db } from '../../platform/db/db.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { notFound } from '../../platform/kernel/refusal.ts';
import { hasGrantOfClient, revokeGrantsOfClient } from '../grants/grants.sql.ts';
import type { DenyRequests } from './apply-to-grants.ts';
import { lockEnrolledPatient } from './consent.sql.ts';

interface Deps {
  db: Db;
  clock: Clock;
  audit: Audit;
  denyRequests: DenyRequests;
}

interface ConnectedClient {
  patientId: PatientId;
  projectId: ProjectId;
  clientId: string;
}

/**
 * Disconnects an app: all its grants are revoked, and what it asked for and has not fetched yet is denied. The consent stays,
 * and with it the organization and the other apps. A second time changes nothing; an app that was never connected is not
 * found. The lock is that of the decisions: a grant that is decided meanwhile is either revoked or newer.
 */
export async function disconnectClient(deps: Deps, client: ConnectedClient): Promise<void> {
  const { patientId, projectId, clientId } = client;
  await deps.db.tx(async (tx) => {
    const patient = await maybeOne(tx, lockEnrolledPatient(patientId, projectId));
    if (!patient || !(await maybeOne(tx, hasGrantOfClient(patientId, projectId, clientId))))
      throw notFound('The app');
    const revoked = await tx.query(revokeGrantsOfClient({ ...client, now: deps.clock.now() }));
    if (revoked.length === 0) return;
    await deps.denyRequests(tx, client);
    await deps.audit.write(tx, {
      organizationId: patient.organization_id,
      action: 'oauth.grant_revoked',
      actor: { kind: 'patient', id: patientId },
      client: clientId,
      projectId,
      patientId,
      detail: { because: 'patient', grants: revoked.length },
    });
  });
}
