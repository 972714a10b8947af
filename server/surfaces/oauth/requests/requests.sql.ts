import type {
  AuthorizationRequestId,
  GrantId,
  OrganizationId,
  PatientId,
  ProjectId,
} from '../../../../contract/brands.ts';
import { asLookUp, raw, sql, type Sql } from '../../../platform/db/sql.ts';
import { latestNow } from '../../../platform/db/store-clock.ts';
import {
  BRAND_COLUMNS,
  ORGANIZATION_NAME,
  type BrandRow,
} from '../../../identity/organizations/organizations.sql.ts';
import type { AppIdentity } from '../apps/app-identity.ts';
import { isKnownClient, keepApp, toAppRow } from '../apps/apps.sql.ts';
import { judgementColumns, REFUSAL, type StandingRow } from '../apps/judgements.sql.ts';

export interface RequestRow {
  request_id: AuthorizationRequestId;
  client_id: string;
  client_name: string | null;
  client_host: string | null;
  /** JSON: what the client said about itself when the request began. */
  client_about: string | null;
  redirect_uri: string;
  scope: string;
  state: string;
  code_challenge: string;
  resource: string;
  project_id: ProjectId;
  organization_id: OrganizationId;
  refreshable: boolean;
  browser_hash: Buffer;
  status: 'pending' | 'processing' | 'ready' | 'denied' | 'closed';
  created_at: Date;
  expires_at: Date;
  patient_id: PatientId | null;
  grant_id: GrantId | null;
  progress: string | null;
  code_expires_at: Date | null;
  code_used_at: Date | null;
  decision_key: string | null;
}

export interface ProjectRow {
  project_id: ProjectId;
  organization_id: OrganizationId;
  organization_name: string;
  name: string;
  purpose: string | null;
}

export const selectOAuthProject = (projectId: ProjectId) => sql<ProjectRow>`
  select p.project_id, p.organization_id, ${ORGANIZATION_NAME} as organization_name, p.name, p.purpose
  from project p join organization o on o.organization_id = p.organization_id
  where p.project_id = ${projectId}`;

export interface InteractionProjectRow extends ProjectRow, BrandRow {
  /** The newest version of the project's content and the content itself, JSON; null where there is none. */
  study_snapshot_id: string | null;
  content: string | null;
  consent_types: string | null;
  /** JSON: who answers questions of the organization's patients. */
  organization_contact: string | null;
  /** When the client registered itself; null for documented and deleted ones. */
  client_registered_at: Date | null;
}

/** Selects the project of a request as the page shows it. `registeredId`: the client, if it has no document. */
export const selectInteractionProject = (
  projectId: ProjectId,
  registeredId: string | null,
) => sql<InteractionProjectRow>`
  select p.project_id, p.organization_id, ${ORGANIZATION_NAME} as organization_name, p.name, p.purpose,
    v.study_snapshot_id::text, v.content, v.consent_types, o.contact as organization_contact, ${BRAND_COLUMNS},
    (select issued_at from oauth_client where client_id = ${registeredId}::uuid) as client_registered_at
  from project p
  join organization o on o.organization_id = p.organization_id
  left join lateral (
    select study_snapshot_id, content, consent_types from project_version
    where project_id = ${projectId} order by version desc limit 1) v on true
  where p.project_id = ${projectId}`;

export type NewRequest = Omit<
  RequestRow,
  | 'status'
  | 'project_id'
  | 'organization_id'
  | 'patient_id'
  | 'grant_id'
  | 'progress'
  | 'code_expires_at'
  | 'code_used_at'
  | 'decision_key'
>;

/** The project that a request is for, how its app stands there, and whether the request was begun. */
export interface RequestedProjectRow extends StandingRow {
  project_id: ProjectId;
  begun: boolean;
}

interface RequestedProject {
  /** null: the first one. */
  projectId: ProjectId | null;
  app: AppIdentity;
}

type AskingClient = Pick<NewRequest, 'client_id' | 'client_host' | 'created_at'>;

/** Selects the project, and how the organization stands to an app and its client at this moment. */
const selectRequested = (client: AskingClient, { projectId, app }: RequestedProject): Sql => sql`
    select p.project_id, p.organization_id, ${judgementColumns(app, client.created_at)},
      not o.no_new_registrations
        or ${isKnownClient({
          organizationId: raw('p.organization_id'),
          appId: app.appId,
          clientId: client.client_id,
          isDocumented: client.client_host !== null,
        })} as known
    from project p join organization o on o.organization_id = p.organization_id
    where ${projectId === null ? raw('true') : sql`p.project_id = ${projectId}`}
    order by p.created_at, p.project_id limit 1`;

/**
 * Begins a request to a project where the organization lets the app in and the client is not new to an organization that takes no
 * new registrations; returns no row where there is no such project. One statement decides and writes: a request sent after the
 * organization has said so is refused.
 */
export const beginRequest = (row: NewRequest, requested: RequestedProject) => sql<RequestedProjectRow>`
  with requested as (${selectRequested(row, requested)}),
  admitted as (select project_id, organization_id from requested where known and ${REFUSAL} is null),
  begun as (
    insert into oauth_request (request_id, client_id, client_name, client_host, client_about, redirect_uri, scope, state,
      code_challenge, resource, project_id, organization_id, refreshable, browser_hash, status, created_at, expires_at)
    select ${row.request_id}, ${row.client_id}, ${row.client_name}, ${row.client_host}, ${row.client_about}, ${row.redirect_uri},
      ${row.scope}, ${row.state}, ${row.code_challenge}, ${row.resource}, project_id, organization_id,
      ${row.refreshable}::boolean, ${row.browser_hash}::bytea, 'pending', ${row.created_at}::timestamptz, ${row.expires_at}::timestamptz
    from admitted
    returning request_id)
  select project_id, ${REFUSAL} as refusal, vouched, exists (select from begun) as begun from requested`;

/** How an organization stands to the app of a request that was not begun; no row where there is no such project. */
export const selectAdmission = (client: AskingClient, requested: RequestedProject) => sql<
  StandingRow & { known: boolean }
>`
  select ${REFUSAL} as refusal, vouched, known from (${selectRequested(client, requested)}) requested`;

const REQUEST_COLUMNS = sql`request_id, client_id, client_name, client_host, client_about, redirect_uri, scope, state, code_challenge, resource,
  project_id, organization_id, refreshable, browser_hash, status, created_at, expires_at, patient_id, grant_id, progress, code_expires_at,
  code_used_at, decision_key`;

export const selectRequestById = (requestId: AuthorizationRequestId) =>
  asLookUp(sql<RequestRow>`
  select ${REQUEST_COLUMNS} from oauth_request where request_id = ${requestId}`);

export const selectRequestByCode = (codeHash: Buffer) =>
  asLookUp(sql<RequestRow>`
  select ${REQUEST_COLUMNS} from oauth_request where code_hash = ${codeHash}`);

export interface RequestGrant {
  patientId: PatientId;
  grantId: GrantId;
  status: 'processing' | 'ready';
  /** JSON. */
  progress: string;
  now: Date;
  expiresAt: Date;
  /** What the page sent with the decision; null: nothing. */
  decisionKey: string | null;
}

/**
 * Grants a request where the organization lets its app in, and keeps the app; `granted` is false, too, when the request was
 * decided before or has expired.
 */
export const grantRequest = (request: RequestRow, app: AppIdentity, grant: RequestGrant) => sql<
  StandingRow & { granted: boolean }
>`
  with judged as (
    select ${judgementColumns(app, grant.now)}
    from project p join organization o on o.organization_id = p.organization_id
    where p.project_id = ${request.project_id}),
  granted as (
    update oauth_request set status = ${grant.status}, patient_id = ${grant.patientId}, grant_id = ${grant.grantId},
      progress = ${grant.progress}, expires_at = ${grant.expiresAt}, decision_key = ${grant.decisionKey}
    from judged
    where request_id = ${request.request_id} and status = 'pending' and expires_at > ${latestNow(grant.now)} and ${REFUSAL} is null
    returning request_id),
  kept as (${keepApp(
    toAppRow(app, {
      organizationId: request.organization_id,
      about: request.client_about,
      now: grant.now,
    }),
    raw('from granted'),
  )})
  select ${REFUSAL} as refusal, vouched, exists (select from granted) as granted from judged`;

export const denyRequest = (
  requestId: AuthorizationRequestId,
  { now, decisionKey }: Pick<RequestGrant, 'now' | 'decisionKey'>,
) => sql<{ request_id: string }>`
  update oauth_request set status = 'denied', decision_key = ${decisionKey}
  where request_id = ${requestId} and status = 'pending' and expires_at > ${latestNow(now)}
  returning request_id`;

/** Saves the progress of a request; returns no row when it is not being processed. */
export const updateProgress = (request: {
  requestId: AuthorizationRequestId;
  status: 'processing' | 'ready';
  progress: string;
  expiresAt: Date;
}) => sql<{ request_id: string }>`
  update oauth_request set status = ${request.status}, progress = ${request.progress}, expires_at = ${request.expiresAt}
  where request_id = ${request.requestId} and status = 'processing'
  returning request_id`;

/** Closes a request with its code, once, in the browser that began it; returns no row otherwise. */
export const closeWithCode = (request: {
  requestId: AuthorizationRequestId;
  browserHash: Buffer;
  codeHash: Buffer;
  codeExpiresAt: Date;
  now: Date;
}) => sql<RequestRow>`
  update oauth_request set status = 'closed', code_hash = ${request.codeHash}, code_expires_at = ${request.codeExpiresAt}
  where request_id = ${request.requestId} and browser_hash = ${request.browserHash} and status = 'ready'
    and expires_at > ${latestNow(request.now)}
  returning ${REQUEST_COLUMNS}`;

/** Marks the code used, once; returns no row when it was used before or has expired. */
export const markCodeUsed = (requestId: AuthorizationRequestId, now: Date) => sql<{ request_id: string }>`
  update oauth_request set code_used_at = ${now}
  where request_id = ${requestId} and code_used_at is null and code_expires_at > ${latestNow(now)}
  returning request_id`;

/**
 * Denies the requests that rest on a consent which is withdrawn before their code is minted, or whose client is disconnected
 * before; `clientId` null: of every client.
 */
export const denyGrantedRequests = (
  patientId: PatientId,
  projectId: ProjectId,
  clientId: string | null,
) => sql`
  update oauth_request set status = 'denied'
  where project_id = ${projectId} and patient_id = ${patientId} and status in ('processing', 'ready')
    and (${clientId}::text is null or client_id = ${clientId})`;

/** Denies the requests whose grants were revoked before their code was fetched. */
export const denyRequestsOfGrants = (
  grants: readonly { patient_id: PatientId; project_id: ProjectId; grant_id: GrantId }[],
) => sql`
  update oauth_request r set status = 'denied'
  from unnest(${grants.map((grant) => grant.patient_id)}::uuid[], ${grants.map((grant) => grant.project_id)}::uuid[],
    ${grants.map((grant) => grant.grant_id)}::uuid[]) as g(patient_id, project_id, grant_id)
  where r.project_id = g.project_id and r.patient_id = g.patient_id and r.grant_id = g.grant_id
    and r.status in ('processing', 'ready')`;

/** Returns no row when the browser was redirected back before. */
export const closeDenied = (requestId: AuthorizationRequestId) => sql<{ request_id: string }>`
  update oauth_request set status = 'closed'
  where request_id = ${requestId} and status = 'denied'
  returning request_id`;

/** Callers keep expired requests for a day, so that a replayed code is still recognized. */
export const purgeRequests = (before: Date) => sql`delete from oauth_request where expires_at < ${before}`;
