import type { ConsentStatus, ConsentType } from '../../../contract/account/consent.ts';
import type { ConsentRecordId, PatientId, ProjectId } from '../../../contract/brands.ts';
import { sql } from '../../platform/db/sql.ts';
import { latestNow } from '../../platform/db/store-clock.ts';
import { NARROWING_FLOW } from '../decisions/decide.ts';
import { REPLACES_CONSENT } from './consent-records.sql.ts';

export interface NewestDecisionRow {
  consent_type: ConsentType;
  consent_record_id: ConsentRecordId;
  consent_status: ConsentStatus;
  /** The flow of the newest decision. */
  consent_ui_flow: string;
  /** The decision before it was a yes, and in force. */
  replaces_consent: boolean;
  decided_at: Date;
  expires_at: Date;
  is_over: boolean;
  /** The version of the project that the last yes was given to, JSON; null where it is not stored. */
  version: string | null;
}

/**
 * Selects the newest decision of a patient on each type of consent to a project. A narrowing is decided on another page, which
 * does not show the words of the project.
 */
export const selectNewestDecisions = (patientId: PatientId, projectId: ProjectId, now: Date) =>
  sql<NewestDecisionRow>`
  select c.consent_type, c.consent_record_id, c.consent_status, r.consent_ui_flow, ${REPLACES_CONSENT} as replaces_consent, c.decided_at, c.expires_at,
    c.expires_at <= ${latestNow(now)} as is_over,
    case when v.version is not null
      then json_build_object('content', v.content::text, 'consent_types', v.consent_types::text) end as version
  from consent c
  join consent_record r on r.patient_id = ${patientId} and r.consent_record_id = c.consent_record_id
  left join lateral (
    select y.study_snapshot_id from consent_record y
    where y.patient_id = ${patientId} and y.project_id = ${projectId} and y.consent_type = c.consent_type
      and y.consent_status = 'OPTED_IN' and y.consent_ui_flow <> ${NARROWING_FLOW}
    order by y.decided_at desc, y.consent_record_id desc limit 1) yes on true
  left join project_version v
    on v.project_id = ${projectId} and v.study_snapshot_id::text = yes.study_snapshot_id
  where c.patient_id = ${patientId} and c.project_id = ${projectId}`;

/** Selects how patients stand to a project: the newest decision of each on each type. */
export const selectStandings = (patientIds: readonly PatientId[], projectId: ProjectId) => sql<{
  patient_id: PatientId;
  consent_type: ConsentType;
  consent_status: ConsentStatus;
  decided_at: Date;
  expires_at: Date;
}>`
  select patient_id, consent_type, consent_status, decided_at, expires_at from consent
  where patient_id = any(${patientIds}::uuid[]) and project_id = ${projectId}
  order by patient_id, consent_type`;
