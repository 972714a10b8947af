import type { ClientAppId, OrganizationId } from '../../../../contract/brands.ts';
import { raw, sql, type Sql } from '../../../platform/db/sql.ts';
import { latestNowAfterLock } from '../../../platform/db/store-clock.ts';
import { toOwnTarget, type AppIdentity } from './app-identity.ts';

export interface JudgementRow {
  organization_id: OrganizationId;
  /** `app:` and an id, or a target of apps. */
  target: string;
  judgement: 'vouched' | 'blocked';
  note: string;
  judged_until: Date | null;
  decided_by_kind: string;
  decided_by: string;
  decided_at: Date;
}

/** A condition on a row `j` of `client_judgement`: it has not ended by itself. */
export const isJudgementInForce = (now: Date): Sql => sql`
  (j.judged_until is null or j.judged_until > ${latestNowAfterLock(now)})`;

/** Replaces what was judged of the target before. */
export const upsertJudgement = (row: JudgementRow) => sql`
  insert into client_judgement (organization_id, target, judgement, note, judged_until, decided_by_kind, decided_by, decided_at)
  values (${row.organization_id}, ${row.target}, ${row.judgement}, ${row.note}, ${row.judged_until}, ${row.decided_by_kind},
    ${row.decided_by}, ${row.decided_at})
  on conflict (organization_id, target) do update set judgement = excluded.judgement, note = excluded.note,
    judged_until = excluded.judged_until, decided_by_kind = excluded.decided_by_kind, decided_by = excluded.decided_by,
    decided_at = excluded.decided_at`;

/** Returns what was taken back. */
export const deleteJudgements = (organizationId: OrganizationId, targets: readonly string[]) => sql<{
  judgement: 'vouched' | 'blocked';
}>`
  delete from client_judgement where organization_id = ${organizationId} and target = any(${targets}::text[])
  returning judgement`;

export interface StandingRow {
  /** null: the organization lets the app in. */
  refusal: 'client_blocked' | 'client_not_vouched' | null;
  vouched: boolean;
}

/** Columns of what an organization `o` says of an app, at this moment, and of those that a project `p` of it lets in. */
export const judgementColumns = ({ appId, targets }: AppIdentity, now: Date): Sql => sql`
  p.only_vouched_apps or o.only_vouched_apps as only_vouched,
  exists (select from client_judgement j
    where j.organization_id = p.organization_id and j.target = any(${targets}::text[]) and j.judgement = 'blocked'
      and ${isJudgementInForce(now)}) as blocked,
  exists (select from client_judgement j
    where j.organization_id = p.organization_id and j.target = ${toOwnTarget(appId)} and j.judgement = 'vouched'
      and ${isJudgementInForce(now)}) as vouched`;

/** An expression on these columns: why the organization does not let the app in, null where it does. */
export const REFUSAL = raw(
  `case when blocked then 'client_blocked' when only_vouched and not vouched then 'client_not_vouched' end`,
);

export interface CaughtApp {
  app_id: ClientAppId;
  client_name: string | null;
  redirect_host: string | null;
}

/** Selects the apps that a block of the target catches. */
export const findCaughtApps = (organizationId: OrganizationId, target: string) => sql<CaughtApp>`
  select app_id, client_name, redirect_host from client_app
  where organization_id = ${organizationId} and targets @> array[${target}::text]
  order by first_seen_at, app_id`;
