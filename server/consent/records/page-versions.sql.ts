import type { OrganizationReach } from '../../../contract/audience.ts';
import type { ConsentRecordId, ProjectId } from '../../../contract/brands.ts';
import { isWithinProjects } from '../../identity/organizations/reach.sql.ts';
import { raw, sql } from '../../platform/db/sql.ts';

export interface PageVersionRow {
  ui_hash: string;
  first_used_at: Date;
  last_used_at: Date;
  example_id: ConsentRecordId;
  consent_ui_flow: string;
}

/** Of so many decisions on a version the newest one with pictures is taken to show it. */
const EXAMPLES = 20;

interface PageVersionsQuery {
  reach: OrganizationReach;
  projectId?: ProjectId | undefined;
  /** What decisions that no page was seen for have instead of one. */
  noPage: string;
  limit: number;
}

/** Selects the versions of the page, the last used first: a probe of the index for each, whatever the number of decisions. */
export function selectPageVersions({ reach, projectId, noPage, limit }: PageVersionsQuery) {
  const isSeen = sql`r.organization_id = ${reach.organizationId} and ${isWithinProjects(reach, raw('r.project_id'))}
    and ${projectId === undefined ? raw('true') : sql`r.project_id = ${projectId}`}`;
  return sql<PageVersionRow>`
  with recursive version as (
    (select r.ui_hash from consent_record r where r.organization_id = ${reach.organizationId}
      order by r.ui_hash limit 1)
    union all
    select (select r.ui_hash from consent_record r
      where r.organization_id = ${reach.organizationId} and r.ui_hash > v.ui_hash order by r.ui_hash limit 1)
    from version v where v.ui_hash is not null)
  select v.ui_hash, oldest.decided_at as first_used_at, newest.decided_at as last_used_at,
    example.consent_record_id as example_id, example.consent_ui_flow
  from version v
  cross join lateral (
    select r.decided_at from consent_record r where ${isSeen} and r.ui_hash = v.ui_hash
    order by r.decided_at limit 1) oldest
  cross join lateral (
    select r.decided_at from consent_record r where ${isSeen} and r.ui_hash = v.ui_hash
    order by r.decided_at desc limit 1) newest
  cross join lateral (
    select e.consent_record_id, e.consent_ui_flow from (
      select r.patient_id, r.consent_record_id, r.consent_ui_flow, r.decided_at from consent_record r
      where ${isSeen} and r.ui_hash = v.ui_hash order by r.decided_at desc limit ${EXAMPLES}) e
    order by exists (select from consent_screenshot s
      where s.patient_id = e.patient_id and s.consent_record_id = e.consent_record_id) desc, e.decided_at desc
    limit 1) example
  where v.ui_hash <> ${noPage}
  order by newest.decided_at desc limit ${limit}`;
}
