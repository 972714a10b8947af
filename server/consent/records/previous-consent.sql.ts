import type { ResourceScope, SensitivityScope } from '../../../contract/data-categories.ts';
import type { ConsentRecordId, DataMask, PatientId, ProjectId } from '../../../contract/brands.ts';
import type { ConsentType } from '../../../contract/account/consent.ts';
import { canRead } from '../grants/can-read.sql.ts';
import { sql } from '../../platform/db/sql.ts';
import { latestNow } from '../../platform/db/store-clock.ts';
import { NARROWING_FLOW } from '../decisions/decide.ts';

export interface PreviousConsentRow {
  consent_record_id: ConsentRecordId;
  decided_at: Date;
  expires_at: Date;
  in_force: boolean;
  study_snapshot_id: string;
  /** True when the last yes was given on the page as it is now; a narrowing is decided on another page, in the portal. */
  same_page: boolean;
  resource_scopes: ResourceScope[] | null;
  sensitivity_scopes: SensitivityScope[] | null;
  /** JSON; null: all of it ends together. */
  parts: string | null;
  /** The later of the node's and the store's time, which ends of parts are compared with. */
  latest_now: Date;
  /** The version of the project at that time, JSON; null where that version is not stored. */
  version: string | null;
  /** JSON: names of the clients, without the requesting one. */
  clients: string;
  /**
   * What all grants of the requesting client leave out besides; null while it has none. A grant whose tokens have ended counts
   * as long as the patient let the client in for.
   */
  grant_withheld: DataMask | null;
}

/** Selects the last consent of a patient to a project, and which other clients read under it. */
export const selectPreviousConsent = (query: {
  patientId: PatientId;
  projectId: ProjectId;
  consentType: ConsentType;
  /** The requesting client; null: no client requests it. */
  clientId: string | null;
  /** The hash of the current page. */
  uiHash: string;
  now: Date;
}) => sql<PreviousConsentRow>`
  select r.consent_record_id, r.decided_at, r.expires_at, f.in_force, r.study_snapshot_id,
    coalesce((
      select p.ui_hash = ${query.uiHash}
      from consent_record p
      where p.patient_id = ${query.patientId} and p.project_id = ${query.projectId}
        and p.consent_type = r.consent_type and p.consent_status = 'OPTED_IN'
        and p.consent_ui_flow <> ${NARROWING_FLOW}
      order by p.decided_at desc, p.consent_record_id desc
      limit 1), false) as same_page,
    r.consent_data_resource_scopes as resource_scopes, r.consent_data_sensitivity_scopes as sensitivity_scopes,
    r.parts::text as parts, ${latestNow(query.now)} as latest_now,
    (select json_build_object('content', v.content::text, 'consent_types', v.consent_types::text) from project_version v
      where v.project_id = ${query.projectId} and v.study_snapshot_id::text = r.study_snapshot_id) as version,
    case when f.in_force and r.consent_type = 'PATIENT_DIRECTED_DATA_EXCHANGE' then coalesce((
      select json_agg(client_name order by client_name)
      from (
        select max(g.client_name) as client_name
        from oauth_grant g
        where g.patient_id = ${query.patientId} and g.project_id = ${query.projectId}
          and g.client_id is distinct from ${query.clientId}::text
          and g.generation > 0 and ${canRead(latestNow(query.now))}
        group by g.client_id) app), '[]'::json) else '[]'::json end as clients,
    case when f.in_force and r.consent_type = 'PATIENT_DIRECTED_DATA_EXCHANGE' then (
      select bit_and(g.withheld) from oauth_grant g
      join consent_record o on o.patient_id = ${query.patientId} and o.consent_record_id = g.consent_record_id
      where g.patient_id = ${query.patientId} and g.project_id = ${query.projectId} and g.client_id = ${query.clientId}::text
        and g.revoked_at is null and g.generation > 0
        and greatest(g.expires_at, coalesce(o.grant_expires_at, o.expires_at)) > ${latestNow(query.now)}) end as grant_withheld
  from consent_record r
  cross join lateral (
    select exists (
      select from consent c
      where c.patient_id = ${query.patientId} and c.project_id = ${query.projectId} and c.consent_type = r.consent_type
        and c.consent_record_id = r.consent_record_id and c.expires_at > ${latestNow(query.now)}) as in_force) f
  where r.patient_id = ${query.patientId} and r.project_id = ${query.projectId}
    and r.consent_type = ${query.consentType} and r.consent_status = 'OPTED_IN'
  order by r.decided_at desc, r.consent_record_id desc
  limit 1`;
