import type { ClientAppId, GrantId, OrganizationId, PatientId, ProjectId } from '../../../contract/brands.ts';
import { raw, sql, type Sql } from '../../platform/db/sql.ts';
import { latestNowAfterLock } from '../../platform/db/store-clock.ts';
import { canRead, hasTimeLeft } from './can-read.sql.ts';
import { CONSENT_WITHDRAWN } from './grants.sql.ts';

/** A condition on a row `g` of `oauth_grant`: the app has had tokens of it, and can read now. */
const isLive = (now: Date): Sql => sql`
  g.generation > 0 and ${canRead(latestNowAfterLock(now))}`;

/** A condition: some patient has the app connected. Its values may be columns of the query around it. */
export const isAppConnected = (organizationId: Sql, appId: Sql, now: Date): Sql => sql`
  exists (select from oauth_grant g
    where g.organization_id = ${organizationId} and g.app_id = ${appId} and ${isLive(now)})`;

/** A condition: the app has a grant that nobody has ended, whether or not its tokens were fetched. */
export const hasUnrevokedGrant = (organizationId: Sql, appId: Sql): Sql => sql`
  exists (select from oauth_grant g
    where g.organization_id = ${organizationId} and g.app_id = ${appId} and g.revoked_at is null)`;

/** A condition: some patient has let the app in, at whatever time. */
export const wasAppConnected = (organizationId: Sql, appId: Sql): Sql => sql`
  exists (select from oauth_grant g where g.organization_id = ${organizationId} and g.app_id = ${appId})`;

/** A condition: some patient has let the app in through this very client, at whatever time. */
export const wasClientConnected = (
  organizationId: Sql,
  { appId, clientId }: { appId: ClientAppId; clientId: string },
): Sql => sql`
  exists (select from oauth_grant g
    where g.organization_id = ${organizationId} and g.app_id = ${appId} and g.client_id = ${clientId})`;

/**
 * A subquery, to be joined laterally to an entry `e` of the log: how its client calls itself, and the app that it connected as. Of
 * several grants the one that was newest then goes first, since a client is another app under another redirect host.
 */
export const ENTRY_GRANT = raw(`(
    select g.client_name, case when g.organization_id = e.organization_id then g.app_id end as app_id
    from oauth_grant g where g.patient_id = e.patient_id and g.client_id = e.client
    order by (g.project_id = e.project_id and g.created_at <= e.at) desc, g.created_at desc limit 1)`);

/** Counts the patients of each of these apps; one that nobody has connected has no row. */
export const countPatients = (
  organizationId: OrganizationId,
  appIds: readonly ClientAppId[],
  now: Date,
) => sql<{
  app_id: ClientAppId;
  patients: number;
}>`
  select g.app_id, count(distinct g.patient_id)::integer as patients
  from oauth_grant g
  where g.organization_id = ${organizationId} and g.app_id = any(${appIds}::uuid[]) and ${isLive(now)}
  group by g.app_id`;

/** Counts the connections of all of these apps together, and their patients, of whom one may have several. */
export const countConnections = (
  organizationId: OrganizationId,
  appIds: readonly ClientAppId[],
  now: Date,
) => sql<{ connections: number; patients: number }>`
  select count(*)::integer as connections, count(distinct g.patient_id)::integer as patients
  from oauth_grant g
  where g.organization_id = ${organizationId} and g.app_id = any(${appIds}::uuid[]) and ${isLive(now)}`;

export interface BlockedGrantRow {
  patient_id: PatientId;
  grant_id: GrantId;
  project_id: ProjectId;
  client_id: string;
  /** It had not ended by itself. */
  in_time: boolean;
}

/** Revokes every grant of these apps, with all its tokens; returns each. */
export const revokeGrantsOfApps = (
  organizationId: OrganizationId,
  appIds: readonly ClientAppId[],
  now: Date,
) => sql<BlockedGrantRow>`
  update oauth_grant g set revoked_at = ${now}, revoked_because = 'client_blocked'
  where g.organization_id = ${organizationId} and g.app_id = any(${appIds}::uuid[]) and g.revoked_at is null
  returning g.patient_id, g.grant_id, g.project_id, g.client_id, ${hasTimeLeft(latestNowAfterLock(now))} as in_time`;

/** Ends the access tokens of these apps that a withdrawal has left valid, to be refused with its reason. */
export const revokeWithdrawnGrantsOfApps = (
  organizationId: OrganizationId,
  appIds: readonly ClientAppId[],
) => sql`
  update oauth_grant g set revoked_because = 'client_blocked'
  where g.organization_id = ${organizationId} and g.app_id = any(${appIds}::uuid[])
    and g.revoked_because = ${CONSENT_WITHDRAWN}`;

/** How the connections of an app stand or ended. */
export const countGrantStates = (organizationId: OrganizationId, appId: ClientAppId, now: Date) => sql<{
  state: 'active' | 'expired' | 'client' | 'patient' | 'reuse' | 'organization';
  grants: number;
}>`
  select case
      when ${isLive(now)} then 'active'
      when g.revoked_at is null then 'expired'
      when g.revoked_because in ('patient', 'consent_withdrawn') then 'patient'
      when g.revoked_because in ('code_reused', 'refresh_token_reused') then 'reuse'
      when g.revoked_because = 'client_blocked' then 'organization'
      else 'client' end as state,
    count(*)::integer as grants
  from oauth_grant g where g.organization_id = ${organizationId} and g.app_id = ${appId}
  group by 1`;

/** The clients of an app, the newest first, with how many there are. */
export const findClientsOfApp = (organizationId: OrganizationId, appId: ClientAppId, limit: number) => sql<{
  client_id: string;
  patients: number;
  first_at: Date;
  total: number;
}>`
  select g.client_id, count(distinct g.patient_id)::integer as patients, min(g.created_at) as first_at,
    (count(*) over ())::integer as total
  from oauth_grant g where g.organization_id = ${organizationId} and g.app_id = ${appId}
  group by g.client_id order by min(g.created_at) desc, g.client_id limit ${limit}`;

/** Selects the apps that patients of the organization let in through this client, the newest first: one for each redirect host. */
export const findAppsOfClient = (organizationId: OrganizationId, clientId: string) => sql<{
  app_id: ClientAppId;
}>`
  select g.app_id from oauth_grant g
  where g.organization_id = ${organizationId} and md5(g.client_id) = md5(${clientId}) and g.client_id = ${clientId}
    and g.app_id is not null
  group by g.app_id order by max(g.created_at) desc`;

/** Selects the clients of each of these apps. */
export const findClientsOfApps = (organizationId: OrganizationId, appIds: readonly ClientAppId[]) => sql<{
  app_id: ClientAppId;
  client_id: string;
}>`
  select distinct g.app_id, g.client_id
  from oauth_grant g where g.organization_id = ${organizationId} and g.app_id = any(${appIds}::uuid[])`;
