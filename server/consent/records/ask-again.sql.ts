import type { OrganizationId, PatientId, ProjectId } from '../../../contract/brands.ts';
import { MAIL_LANGUAGE } from '../../identity/patients/patients.sql.ts';
import { sql } from '../../platform/db/sql.ts';
import { latestNow } from '../../platform/db/store-clock.ts';

export interface ConsentingPatientRow {
  patient_id: PatientId;
  project_id: ProjectId;
}

/** Selects the enrolled people who share with a project now, in the order of their ids. */
export const selectSharingPatients = (
  projectId: ProjectId,
  { after, limit, now }: { after: PatientId | null; limit: number; now: Date },
) => sql<ConsentingPatientRow>`
  select distinct c.patient_id, c.project_id from consent c
  join enrollment e on e.patient_id = c.patient_id and e.project_id = c.project_id
  where c.project_id = ${projectId} and c.consent_status = 'OPTED_IN' and c.expires_at > ${latestNow(now)}
    and not c.asked_again and (${after}::uuid is null or c.patient_id > ${after}::uuid)
  order by c.patient_id limit ${limit}`;

/** Selects consents that end soon, of people who were not asked again. */
export const selectEndingConsents = (window: { now: Date; before: Date; minTermMs: number; limit: number }) =>
  sql<ConsentingPatientRow>`
  select c.patient_id, c.project_id from consent c
  join enrollment e on e.patient_id = c.patient_id and e.project_id = c.project_id
  where c.consent_status = 'OPTED_IN' and not c.asked_again and c.expires_at > ${latestNow(window.now)}
    and c.expires_at <= ${window.before} and c.expires_at - c.decided_at > ${window.minTermMs} * interval '1 millisecond'
    and exists (
      select from project_version v where v.project_id = c.project_id and v.consent_types::text like '%' || c.consent_type || '%')
  order by c.expires_at limit ${window.limit}`;

export interface AskedPersonRow {
  organization_id: OrganizationId;
  email: string;
  first_name: string;
  language: string | null;
  /** JSON each. */
  content: string | null;
  consent_types: string | null;
}

/** Selects whom to ask, with the current version of the project; test patients have no mailbox. */
export const selectAskedPerson = (patientId: PatientId, projectId: ProjectId) => sql<AskedPersonRow>`
  select pr.organization_id, p.email, p.first_name, ${MAIL_LANGUAGE} as language, v.content, v.consent_types
  from patient p
  join project pr on pr.project_id = ${projectId}
  join lateral (
    select content, consent_types from project_version w
    where w.project_id = ${projectId} order by version desc limit 1) v on true
  where p.patient_id = ${patientId} and p.test_organization_id is null`;
