import type { ConsentRecordId, OrganizationId, PatientId, ProjectId } from '../../contract/ids.ts';
import { sql } from '../storage/sql.ts';

export interface ConsentRecordRow {
  patient_id: PatientId;
  consent_record_id: ConsentRecordId;
  organization_id: OrganizationId;
  project_id: ProjectId;
  consent_type: string;
  consent_status: 'OPTED_IN' | 'OPTED_OUT';
  decided_at: Date;
  expires_at: Date;
  consent_stats: { sessionLength: number; interactions: unknown[] };
  study_snapshot_id: string;
  consent_ui_flow: string;
  ui_hash: string;
}

export interface EnrolledPatientRow {
  organization_id: OrganizationId;
  project_name: string;
  project_purpose: string | null;
  is_test_patient: boolean;
}

/** What must be true of the patient before a decision counts; locks the enrollment until the decision is written. */
export const enrolledPatient = (patientId: PatientId, projectId: ProjectId) => sql<EnrolledPatientRow>`
  select e.organization_id, pr.name as project_name, pr.purpose as project_purpose,
    p.test_organization_id is not null as is_test_patient
  from enrollment e
  join patient p on p.patient_id = e.patient_id
  join project pr on pr.project_id = e.project_id
  where e.patient_id = ${patientId} and p.patient_id = ${patientId} and e.project_id = ${projectId}
  for share of e, p`;

/** A person who says yes on the consent page takes part from then on; a test patient only in its own organization. */
export const enrollByConsent = (patientId: PatientId, projectId: ProjectId, now: Date) => sql`
  insert into enrollment (patient_id, project_id, organization_id, created_at)
  select p.patient_id, pr.project_id, pr.organization_id, ${now}
  from patient p, project pr
  where p.patient_id = ${patientId} and pr.project_id = ${projectId}
    and (p.test_organization_id is null or p.test_organization_id = pr.organization_id)
  on conflict (patient_id, project_id) do nothing`;

/**
 * The decision in force, its immutable record, and the way to that by its id alone. The last one that gets here is in
 * force: its row's lock orders decisions of one patient, and the time never goes back, so that a withdrawal counts even
 * where a node's clock is behind.
 */
export const insertDecision = (row: ConsentRecordRow) => sql`
  with in_force as (
    insert into consent (patient_id, project_id, consent_type, consent_record_id, consent_status, expires_at, decided_at)
    values (${row.patient_id}, ${row.project_id}, ${row.consent_type}, ${row.consent_record_id}, ${row.consent_status},
      ${row.expires_at}, ${row.decided_at})
    on conflict (patient_id, project_id, consent_type) do update set
      consent_record_id = excluded.consent_record_id, consent_status = excluded.consent_status,
      expires_at = excluded.expires_at, decided_at = greatest(consent.decided_at, excluded.decided_at)
    returning decided_at),
  route as (
    insert into consent_route (consent_record_id, patient_id) values (${row.consent_record_id}, ${row.patient_id}))
  insert into consent_record (patient_id, consent_record_id, organization_id, project_id, consent_type, consent_status,
    decided_at, expires_at, consent_stats, study_snapshot_id, consent_ui_flow, ui_hash)
  select ${row.patient_id}, ${row.consent_record_id}, ${row.organization_id}, ${row.project_id}, ${row.consent_type},
    ${row.consent_status}, in_force.decided_at, ${row.expires_at}, ${JSON.stringify(row.consent_stats)},
    ${row.study_snapshot_id}, ${row.consent_ui_flow}, ${row.ui_hash}
  from in_force`;
