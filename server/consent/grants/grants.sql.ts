import type {
  ClientAppId,
  ConsentRecordId,
  DataMask,
  GrantId,
  OrganizationId,
  PatientId,
  ProjectId,
} from '../../../contract/brands.ts';
import { asLookUp, raw, sql, type Sql } from '../../platform/db/sql.ts';
import { isAheadOfStore, latestNow, latestNowAfterLock } from '../../platform/db/store-clock.ts';

export interface NewGrant {
  patientId: PatientId;
  grantId: GrantId;
  organizationId: OrganizationId;
  projectId: ProjectId;
  clientId: string;
  clientName: string | null;
  /** null: the agent of a test patient, which no app asked for. */
  appId: ClientAppId | null;
  /** Where its answer went. */
  redirectHost: string | null;
  scope: string;
  resource: string;
  refreshable: boolean;
  consentRecordId: ConsentRecordId;
  now: Date;
  expiresAt: Date;
  /** What the client does not get, whatever the consent covers. */
  withheld: DataMask;
}

/** A grant with what its tokens say of the patient. */
export interface UsableGrantRow {
  patient_id: PatientId;
  grant_id: GrantId;
  organization_id: OrganizationId;
  project_id: ProjectId;
  client_id: string;
  scope: string;
  resource: string;
  refreshable: boolean;
  generation: number;
  expires_at: Date;
  first_name: string;
  last_name: string;
  is_test_patient: boolean;
}

export const insertGrant = (grant: NewGrant) => sql`
  insert into oauth_grant (patient_id, grant_id, organization_id, project_id, client_id, client_name, redirect_host, scope,
    resource, refreshable, consent_record_id, created_at, rotated_at, expires_at, withheld, app_id)
  values (${grant.patientId}, ${grant.grantId}, ${grant.organizationId}, ${grant.projectId}, ${grant.clientId},
    ${grant.clientName}, ${grant.redirectHost}, ${grant.scope}, ${grant.resource}, ${grant.refreshable},
    ${grant.consentRecordId}, ${grant.now}, ${grant.now}, ${grant.expiresAt}, ${grant.withheld}, ${grant.appId})`;

const GRANT_COLUMNS = sql`g.patient_id, g.grant_id, g.organization_id, g.project_id, g.client_id, g.scope, g.resource, g.refreshable,
  g.generation, g.expires_at, p.first_name, p.last_name, p.test_organization_id is not null as is_test_patient`;

export interface Rotation {
  patientId: PatientId;
  grantId: GrantId;
  clientId: string;
  /** The generation of the token that the client presented; 0 stands for the code. */
  generation: number;
  /** null: the client named none. */
  resource: string | null;
  now: Date;
  /** A grant that was rotated before this time has been idle for too long. */
  idleSince: Date;
}

/** A condition on a grant `g` and a consent `c`: `c` is the consent that `g` rests on, and it is in force. */
const isConsentInForce = (patientId: PatientId, latest: Sql) => sql`
  c.patient_id = ${patientId} and c.project_id = g.project_id and c.consent_type = 'PATIENT_DIRECTED_DATA_EXCHANGE'
    and c.consent_status = 'OPTED_IN' and c.expires_at > ${latest}`;

/**
 * Advances the grant from exactly the generation presented: of any number of attempts at once, one gets the row. The same
 * statement checks the consent, so that no token is issued after a withdrawal. As part of a larger statement it rotates
 * only where `condition` holds.
 */
export const rotateGrant = (rotation: Rotation, condition: Sql = raw('true')) => sql<UsableGrantRow>`
  update oauth_grant g set generation = g.generation + 1, rotated_at = ${rotation.now}
  from patient p, consent c
  where ${condition}
    and g.patient_id = ${rotation.patientId} and g.grant_id = ${rotation.grantId} and g.client_id = ${rotation.clientId}
    and g.generation = ${rotation.generation} and g.revoked_at is null and g.expires_at > ${latestNowAfterLock(rotation.now)}
    and g.rotated_at > ${rotation.idleSince} and (${rotation.resource}::text is null or g.resource = ${rotation.resource})
    and p.patient_id = ${rotation.patientId} and ${isConsentInForce(rotation.patientId, latestNowAfterLock(rotation.now))}
  returning ${GRANT_COLUMNS}`;

export interface GrantStateRow extends UsableGrantRow {
  rotated_at: Date;
  revoked_at: Date | null;
  revoked_because: string | null;
  /** The grant has not ended by its date. */
  lasts: boolean;
  consented: boolean;
}

/** Locks the grant, so that its state still holds when the transaction commits. */
export const lockGrant = (patientId: PatientId, grantId: GrantId, now: Date) => sql<GrantStateRow>`
  select ${GRANT_COLUMNS}, g.rotated_at, g.revoked_at, g.revoked_because, g.expires_at > ${latestNowAfterLock(now)} as lasts,
    exists (select from consent c where ${isConsentInForce(patientId, latestNowAfterLock(now))}) as consented
  from oauth_grant g join patient p on p.patient_id = ${patientId}
  where g.patient_id = ${patientId} and g.grant_id = ${grantId}
  for update of g`;

/** Why grants are revoked one by one; `patient`, `client_blocked` and `CONSENT_WITHDRAWN` revoke several at once. */
export type RevocationReason = 'client' | 'code_reused' | 'refresh_token_reused';

/** The one reason for which access tokens stay valid: the gate refuses them with it. Any other takes its place. */
export const CONSENT_WITHDRAWN = 'consent_withdrawn';

/** A condition on a grant: nothing but a withdrawal, which leaves its access tokens valid, has ended it. */
const HAS_VALID_TOKENS = raw(`(revoked_at is null or revoked_because = '${CONSENT_WITHDRAWN}')`);

/** Returns no row when the grant was revoked before, but by a withdrawal, or belongs to another client. */
export const markGrantRevoked = (grant: {
  patientId: PatientId;
  grantId: GrantId;
  clientId: string;
  reason: RevocationReason;
  now: Date;
}) => sql<{ organization_id: OrganizationId; project_id: ProjectId }>`
  update oauth_grant set revoked_at = ${grant.now}, revoked_because = ${grant.reason}
  where patient_id = ${grant.patientId} and grant_id = ${grant.grantId} and client_id = ${grant.clientId}
    and ${HAS_VALID_TOKENS}
  returning organization_id, project_id`;

interface GrantLimits {
  withheld: DataMask;
  expiresAt: Date;
}

/** What the grants of one client do not exceed besides. */
export interface ClientLimits extends GrantLimits {
  clientId: string;
}

/**
 * Narrows and shortens the grants of a consent to a newer decision, and those of `client` to what that client gets by it, and
 * never widens or prolongs one: what was taken from a grant does not come back with a wider consent that is given for another
 * client.
 */
export const limitGrants = (
  { patientId, projectId }: { patientId: PatientId; projectId: ProjectId },
  { withheld, expiresAt }: GrantLimits,
  client: ClientLimits | null,
) => sql`
  update oauth_grant set
    withheld = withheld | ${withheld}::integer
      | case when client_id = ${client?.clientId}::text then ${client?.withheld}::integer else 0 end,
    expires_at = least(expires_at, ${expiresAt},
      case when client_id = ${client?.clientId}::text then ${client?.expiresAt}::timestamptz end)
  where patient_id = ${patientId} and project_id = ${projectId} and revoked_at is null
    and (withheld | ${withheld}::integer <> withheld or expires_at > ${expiresAt}
      or client_id = ${client?.clientId}::text
        and (withheld | ${client?.withheld}::integer <> withheld or expires_at > ${client?.expiresAt}::timestamptz))`;

/** Revokes all grants of a client, which the patient disconnects; returns each. */
export const revokeGrantsOfClient = (client: {
  patientId: PatientId;
  projectId: ProjectId;
  clientId: string;
  now: Date;
}) => sql<{ grant_id: GrantId }>`
  update oauth_grant set revoked_at = ${client.now}, revoked_because = 'patient'
  where patient_id = ${client.patientId} and project_id = ${client.projectId} and client_id = ${client.clientId}
    and ${HAS_VALID_TOKENS}
  returning grant_id`;

/** Returns a row when the client ever had a grant. */
export const hasGrantOfClient = (patientId: PatientId, projectId: ProjectId, clientId: string) => sql`
  select from oauth_grant where patient_id = ${patientId} and project_id = ${projectId} and client_id = ${clientId} limit 1`;

/** Revokes all grants that rest on a consent, when it is withdrawn; the audit entry of the decision stands for all of them. */
export const revokeGrantsOfConsent = (patientId: PatientId, projectId: ProjectId, now: Date) => sql`
  update oauth_grant set revoked_at = ${now}, revoked_because = ${CONSENT_WITHDRAWN}
  where patient_id = ${patientId} and project_id = ${projectId} and revoked_at is null`;

/**
 * Selects whether an access token of the grant is still valid. A token whose consent was withdrawn or has expired stays
 * valid: the gate refuses it the record with the specific reason. Once a consent is in force again that reason is none, and a
 * token whose grant is over is refused as one that was revoked, so that its client asks again.
 */
export const selectGrantUsable = (
  { patientId, grantId }: { patientId: PatientId; grantId: GrantId },
  tokenExpiresAt: Date,
  now: Date,
) =>
  asLookUp(sql<{
    usable: boolean;
  }>`
  select ${isAheadOfStore(tokenExpiresAt)} and ${HAS_VALID_TOKENS}
    and (g.revoked_at is null and g.expires_at > ${latestNow(now)}
      or not exists (select from consent c where ${isConsentInForce(patientId, latestNow(now))})) as usable
  from oauth_grant g where g.patient_id = ${patientId} and g.grant_id = ${grantId}`);
