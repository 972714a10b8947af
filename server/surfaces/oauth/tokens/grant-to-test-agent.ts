import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { OrganizationCaller } from '../../../../contract/audience.ts';
import type { GrantId, PatientId, ProjectId } from '../../../../contract/brands.ts';
import type { createTestPatientGrant } from '../../../../contract/organization/test-patients.ts';
import { toDataScopes, toScopesDto, toWithheldMask } from '../../../consent/access/sensitivity-labels.ts';
import { lockConsent, lockEnrolledPatient } from '../../../consent/decisions/consent.sql.ts';
import { insertGrant } from '../../../consent/grants/grants.sql.ts';
import { testPatientNotEnrolled } from '../../../identity/patients/create-test-patient-token.ts';
import { requireTestPatient } from '../../../identity/patients/test-patients.ts';
import { TOKEN_LIFETIME_SECONDS, type AccessTokens } from '../../../identity/tokens/access-token.ts';
import { toActor, type Audit } from '../../../platform/audit/append.ts';
import { maybeOne, type Db, type Tx } from '../../../platform/db/db.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { generateId } from '../../../platform/kernel/ids.ts';
import { Refusal } from '../../../platform/kernel/refusal.ts';
import { buildProjectResource } from '../resources.ts';

export interface TestGrantDeps {
  db: Db;
  clock: Clock;
  audit: Audit;
  tokens: Pick<AccessTokens, 'issueForGrant'>;
}

interface TestGrantRequest {
  caller: OrganizationCaller;
  /** Our base URL, under the name that the caller called. */
  baseUrl: string;
  patientId: PatientId;
  projectId: ProjectId;
  body: z.infer<(typeof createTestPatientGrant)['body']>;
}

type TestGrant = z.input<(typeof createTestPatientGrant)['response']>;

/** The one scope of a resource that agents read. */
const SCOPE = 'patient/*.read';

/** No OAuth client asked: as with a token of `POST /v1/auth/token`. */
const CLIENT_ID = 'direct';

/**
 * Lets an agent of a test patient in without the consent page, for the lifetime of one token, with no more than the caller
 * names. It widens nothing: every read compares what the consent leaves out as well. Throws 404 for real people.
 */
export async function grantToTestAgent(deps: TestGrantDeps, request: TestGrantRequest): Promise<TestGrant> {
  const { caller, patientId, projectId, baseUrl } = request;
  const { organizationId } = caller;
  const person = await requireTestPatient(deps.db, organizationId, patientId);
  const { uri: resource } = buildProjectResource(baseUrl, projectId);
  const now = deps.clock.now();
  const expiresAt = new Date(now.getTime() + TOKEN_LIFETIME_SECONDS * 1000);
  const grantId = generateId<GrantId>();
  const endsAt = await deps.db.tx((tx) =>
    writeGrant(tx, deps, { ...request, grantId, resource, now, expiresAt }),
  );
  const claims = {
    sub: patientId,
    scope: SCOPE,
    organizationId,
    projectId,
    firstName: person.first_name,
    lastName: person.last_name,
    isTestPatient: true as const,
    client_id: CLIENT_ID,
    jti: randomUUID(),
    gid: grantId,
  };
  const token = await deps.tokens.issueForGrant(resource, claims, baseUrl);
  return { token, expiration: Math.floor(endsAt.getTime() / 1000), resource };
}

interface NewTestGrant extends TestGrantRequest {
  grantId: GrantId;
  resource: string;
  now: Date;
  expiresAt: Date;
}

/** Returns when the grant ends: with its token, or sooner with the consent. */
async function writeGrant(tx: Tx, { audit }: TestGrantDeps, grant: NewTestGrant): Promise<Date> {
  const { caller, patientId, projectId, grantId, now, expiresAt, body } = grant;
  const { organizationId } = caller;
  const enrolled = await maybeOne(tx, lockEnrolledPatient(patientId, projectId));
  if (!enrolled?.is_test_patient || enrolled.organization_id !== organizationId)
    throw testPatientNotEnrolled();
  const consent = await maybeOne(tx, lockConsent(patientId, projectId, 'PATIENT_DIRECTED_DATA_EXCHANGE'));
  if (consent?.consent_status !== 'OPTED_IN' || consent.expires_at <= now)
    throw new Refusal(409, 'no_consent', { detail: 'Nothing is shared with this project now.' });
  const endsAt = expiresAt < consent.expires_at ? expiresAt : consent.expires_at;
  const { consentDataResourceScopes, consentDataSensitivityScopes } = body;
  const scopes = toDataScopes(consentDataResourceScopes, consentDataSensitivityScopes);
  await tx.query(
    insertGrant({
      patientId,
      grantId,
      organizationId,
      projectId,
      clientId: CLIENT_ID,
      clientName: null,
      // No app: it is in no list of them, and no judgement of one ends it.
      appId: null,
      redirectHost: null,
      scope: SCOPE,
      resource: grant.resource,
      refreshable: false,
      consentRecordId: consent.consent_record_id,
      withheld: toWithheldMask(scopes),
      now,
      expiresAt: endsAt,
    }),
  );
  await audit.write(tx, {
    organizationId,
    action: 'test_patient.token_issued',
    actor: toActor(caller),
    projectId,
    patientId,
    detail: { ...toScopesDto(scopes) },
  });
  return endsAt;
}
