import type { OrganizationReach } from '../../../contract/audience.ts';
import type { ProjectId } from '../../../contract/brands.ts';
import { isWithinProjects } from '../../identity/organizations/reach.sql.ts';
import { raw, sql } from '../../platform/db/sql.ts';
import { latestNow } from '../../platform/db/store-clock.ts';
import { NARROWING_FLOW } from '../decisions/decide.ts';

/**
 * Counts the consents in force of each project by the version of the words that they were given for. A narrowing shows no
 * words: it stays with those of the yes before it.
 */
export const countByVersion = (reach: OrganizationReach, now: Date) => sql<{
  project_id: ProjectId;
  version: number | null;
  consents: number;
}>`
  select c.project_id, v.version, count(*) as consents
  from consent c join project pr on pr.project_id = c.project_id
  join consent_record r on r.patient_id = c.patient_id and r.consent_record_id = c.consent_record_id
  left join lateral (
    select y.study_snapshot_id from consent_record y
    where r.consent_ui_flow = ${NARROWING_FLOW} and y.patient_id = c.patient_id and y.project_id = c.project_id
      and y.consent_type = c.consent_type and y.consent_status = 'OPTED_IN' and y.consent_ui_flow <> ${NARROWING_FLOW}
    order by y.decided_at desc, y.consent_record_id desc limit 1) yes on true
  left join project_version v on v.project_id = c.project_id
    and v.study_snapshot_id::text = coalesce(yes.study_snapshot_id, r.study_snapshot_id)
  where pr.organization_id = ${reach.organizationId} and ${isWithinProjects(reach, raw('pr.project_id'))}
    and c.consent_status = 'OPTED_IN' and c.expires_at > ${latestNow(now)}
  group by 1, 2 order by 1, 2 desc nulls last`;
