import type { OrganizationCaller } from '../../../contract/audience.ts';
import type { PatientId, ProjectId } from '../../../contract/brands.ts';
import { toActor, type Audit } from '../../platform/audit/append.ts';
import { maybeOne, type Db } from '../../platform/db/db.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import type { AccessTokens } from '../tokens/access-token.ts';
import type { Claims } from '../tokens/claims.ts';
import { requireTestPatient } from './test-patients.ts';
import { findTestPatientLogin } from './test-patients.sql.ts';

export interface TestPatientTokenDeps {
  db: Db;
  audit: Audit;
  tokens: Pick<AccessTokens, 'issue'>;
}

interface TestPatientInProject {
  caller: OrganizationCaller;
  patientId: PatientId;
  projectId: ProjectId;
  /** Our base URL, under the name that the client called. */
  baseUrl: string;
}

/**
 * Issues the token that the test patient's password would get. Whoever may call this may renew that password and sign in with
 * it: it spares them the renewal, which would end the tokens of everybody else.
 */
export async function createTestPatientToken(
  { db, audit, tokens }: TestPatientTokenDeps,
  { caller, patientId, projectId, baseUrl }: TestPatientInProject,
): Promise<{ token: string; expiration: number }> {
  const { organizationId } = caller;
  await requireTestPatient(db, organizationId, patientId);
  const login = await maybeOne(db, findTestPatientLogin(organizationId, patientId, projectId));
  if (!login) throw testPatientNotEnrolled();
  await audit.append({
    organizationId,
    action: 'test_patient.token_issued',
    actor: toActor(caller),
    projectId,
    patientId,
  });
  const claims: Claims = {
    role: 'patient',
    sub: patientId,
    organizationId,
    projectId,
    firstName: login.first_name,
    lastName: login.last_name,
    isTestPatient: true,
    credentialId: login.credential_id,
  };
  return tokens.issue({ claims, endsAt: null }, baseUrl);
}

export const testPatientNotEnrolled = (): Refusal =>
  new Refusal(409, 'not_enrolled', { detail: 'The test patient is not enrolled in this project.' });
