import type { ClientAppId, OrganizationId, ProjectId } from '../../../../contract/brands.ts';
import type { ClientsQuery } from '../../../../contract/organization/clients.ts';
import { raw, sql, type Sql } from '../../../platform/db/sql.ts';
import {
  hasUnrevokedGrant,
  isAppConnected,
  wasClientConnected,
} from '../../../consent/grants/app-grants.sql.ts';
import type { AppIdentity } from './app-identity.ts';
import { isJudgementInForce, judgementColumns, REFUSAL, type StandingRow } from './judgements.sql.ts';

export interface NewAppRow {
  /** SQL where the statement selects it. */
  organization_id: OrganizationId | Sql;
  app_id: ClientAppId;
  document_url: string | null;
  redirect_host: string | null;
  client_name: string | null;
  targets: readonly string[];
  /** JSON. */
  about: string | null;
  first_seen_at: Date;
}

export const toAppRow = (
  { appId, documentUrl, redirectHost, name, targets }: AppIdentity,
  {
    organizationId,
    about,
    now,
  }: { organizationId: NewAppRow['organization_id']; about: string | null; now: Date },
): NewAppRow => ({
  organization_id: organizationId,
  app_id: appId,
  document_url: documentUrl,
  redirect_host: redirectHost,
  client_name: name,
  targets,
  about,
  first_seen_at: now,
});

/** `from`: where the row is taken from; it is inserted once for each of its rows. */
const insertApp = (row: NewAppRow, from: Sql): Sql => sql`
  insert into client_app as a (organization_id, app_id, document_url, redirect_host, client_name, targets, about, first_seen_at)
  select ${row.organization_id}::uuid, ${row.app_id}::uuid, ${row.document_url}, ${row.redirect_host}, ${row.client_name},
    ${row.targets}::text[], ${row.about}::json, ${row.first_seen_at}::timestamptz ${from}`;

/** A condition: the app is listed, as it describes itself now. */
const isNoted = (row: Pick<NewAppRow, 'organization_id' | 'app_id' | 'targets' | 'about'>): Sql => sql`
  exists (
    select from client_app k
    where k.organization_id = ${row.organization_id}::uuid and k.app_id = ${row.app_id}::uuid
      and k.targets = ${row.targets}::text[] and k.about::text is not distinct from ${row.about}::text)`;

/** Notes that an app asks a patient; one that asked before is changed only where it now says something else about itself. */
export const noteApp = (row: NewAppRow): Sql => sql`
  ${insertApp(row, raw(''))}
  on conflict (organization_id, app_id) do update set targets = excluded.targets, about = excluded.about
  where a.targets <> excluded.targets or a.about::text is distinct from excluded.about::text`;

/**
 * Sees to it that an app that is let in is listed, once for each row of `from`, if it was purged since it asked; others who do so
 * are not waited for.
 */
export const keepApp = (row: NewAppRow, from: Sql): Sql =>
  sql`${insertApp(row, from)} on conflict (organization_id, app_id) do nothing`;

/** Selects how an organization stands to an app, and whether it is listed as it describes itself now (`about`). */
export const selectStanding = (
  app: AppIdentity,
  { projectId, now, about }: { projectId: ProjectId; now: Date; about: string | null },
) => sql<StandingRow & { noted: boolean }>`
  select ${REFUSAL} as refusal, vouched, noted from (
    select ${judgementColumns(app, now)}, ${isNoted({
      organization_id: raw('p.organization_id'),
      app_id: app.appId,
      targets: app.targets,
      about,
    })} as noted
    from project p join organization o on o.organization_id = p.organization_id where p.project_id = ${projectId}) judged`;

/**
 * A condition: the organization knows the client. One with a document is known by its address, whatever it is called now, once
 * somebody who is signed in has seen a request of it; one that registered itself once some patient has let it in.
 */
export const isKnownClient = ({
  organizationId,
  appId,
  clientId,
  isDocumented,
}: {
  organizationId: Sql;
  appId: ClientAppId;
  clientId: string;
  isDocumented: boolean;
}): Sql =>
  isDocumented
    ? sql`exists (select from client_app
        where organization_id = ${organizationId} and document_url = ${clientId})`
    : wasClientConnected(organizationId, { appId, clientId });

export interface AppRow {
  app_id: ClientAppId;
  document_url: string | null;
  redirect_host: string | null;
  client_name: string | null;
  targets: string[];
  /** JSON. */
  about: string | null;
  first_seen_at: Date;
  /** null: nobody has judged it, or the judgement has ended. */
  judgement: 'vouched' | 'blocked' | null;
  note: string | null;
  judged_until: Date | null;
  decided_by_kind: string | null;
  decided_by: string | null;
  decided_at: Date | null;
}

/** The apps of an organization, each with the judgement in force: a block of one of its hosts before a vouch for itself. */
const selectApps = (organizationId: OrganizationId, now: Date): Sql => sql`
  select a.app_id, a.document_url, a.redirect_host, a.client_name, a.targets, a.about::text as about, a.first_seen_at,
    j.judgement, j.note, j.judged_until, j.decided_by_kind, j.decided_by, j.decided_at
  from client_app a
  left join lateral (
    select * from client_judgement j
    where j.organization_id = ${organizationId} and ${isJudgementInForce(now)}
      and (j.judgement = 'blocked' and j.target = any(a.targets) or j.judgement = 'vouched' and j.target = 'app:' || a.app_id)
    order by j.judgement, j.decided_at limit 1) j on true
  where a.organization_id = ${organizationId}`;

export const findApp = (organizationId: OrganizationId, appId: ClientAppId, now: Date) => sql<AppRow>`
  ${selectApps(organizationId, now)} and a.app_id = ${appId}`;

/** Finds the apps of these ids, in their order, and those of a document after them; each with what a block of it names. */
export const findNamedApps = (
  organizationId: OrganizationId,
  { appIds, documentUrl }: { appIds: readonly ClientAppId[]; documentUrl: string },
) => sql<{ app_id: ClientAppId; block_target: string }>`
  select app_id, targets[1] as block_target from client_app
  where organization_id = ${organizationId} and (app_id = any(${appIds}::uuid[]) or document_url = ${documentUrl})
  order by array_position(${appIds}::uuid[], app_id), first_seen_at desc, app_id`;

/** Newest first, one beyond the page. */
export const findApps = (organizationId: OrganizationId, query: ClientsQuery, now: Date) => sql<AppRow>`
  ${selectApps(organizationId, now)}
    and ${query.q === undefined ? raw('true') : nameContains(query.q)}
    and ${query.judgement === undefined ? raw('true') : sql`coalesce(j.judgement, 'new') = any(${query.judgement}::text[])`}
    and ${query.connected === undefined ? raw('true') : sql`${isAppConnected(raw('a.organization_id'), raw('a.app_id'), now)} = ${query.connected}`}
    and ${
      query.after === undefined
        ? raw('true')
        : sql`(a.first_seen_at, a.app_id) < (
            select first_seen_at, app_id from client_app
            where organization_id = ${organizationId} and app_id = ${query.after})`
    }
  order by a.first_seen_at desc, a.app_id desc limit ${query.limit + 1}`;

const nameContains = (part: string): Sql => sql`
  position(lower(${part}) in lower(concat_ws(' ', a.client_name, a.document_url, a.redirect_host))) > 0`;

/** Selects the apps that a block in force catches and that still have grants, by organization; all of them, or one. */
export const findBlockedWithGrants = (now: Date, organizationId?: OrganizationId) => sql<{
  organization_id: OrganizationId;
  app_ids: ClientAppId[];
}>`
  select a.organization_id, array_agg(a.app_id) as app_ids
  from client_app a
  where ${organizationId === undefined ? raw('true') : sql`a.organization_id = ${organizationId}`}
    and exists (select from client_judgement j
      where j.organization_id = a.organization_id and j.target = any(a.targets) and j.judgement = 'blocked'
        and ${isJudgementInForce(now)})
    and ${hasUnrevokedGrant(raw('a.organization_id'), raw('a.app_id'))}
  group by a.organization_id`;

/** Deletes the apps that asked long ago and were neither let in nor judged. */
export const deleteUnusedApps = (
  seenBefore: Date,
  isConnectedEver: (organizationId: Sql, appId: Sql) => Sql,
) => sql`
  delete from client_app a
  where a.first_seen_at < ${seenBefore} and not ${isConnectedEver(raw('a.organization_id'), raw('a.app_id'))}
    and not exists (select from client_judgement j
      where j.organization_id = a.organization_id and (j.target = any(a.targets) or j.target = 'app:' || a.app_id))`;

/** The apps that were first seen since a time, that some patient has connected, and that nobody has judged; the newest first. */
export const findUnjudgedApps = (
  organizationId: OrganizationId,
  { since, now, limit }: { since: Date; now: Date; limit: number },
) => sql<AppRow>`
  ${selectApps(organizationId, now)}
    and a.first_seen_at >= ${since} and j.judgement is null
    and ${isAppConnected(raw('a.organization_id'), raw('a.app_id'), now)}
  order by a.first_seen_at desc, a.app_id desc limit ${limit}`;

/** A row when some app ever asked for a record of the organization's patients. */
export const hasApp = (organizationId: OrganizationId) => sql<{ app_id: ClientAppId }>`
  select app_id from client_app where organization_id = ${organizationId} limit 1`;
