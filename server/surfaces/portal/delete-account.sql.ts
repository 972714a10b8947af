import type { ConsentType } from '../../../contract/account/consent.ts';
import type { PatientId, ProjectId } from '../../../contract/brands.ts';
import { sql } from '../../platform/db/sql.ts';

export const selectPasswordHash = (patientId: PatientId) => sql<{ password_hash: string }>`
  select password_hash from patient_password where patient_id = ${patientId}`;

/** In the order in which a decision locks, so that the two wait for each other instead of one being begun anew. */
export const lockEnrollments = (patientId: PatientId) => sql`
  select from enrollment where patient_id = ${patientId} order by project_id for update`;

/** No row when the account is gone. */
export const lockAccount = (patientId: PatientId) => sql<{
  email: string;
  language: string | null;
  password_hash: string;
}>`
  select p.email, p.language, w.password_hash
  from patient p join patient_password w on w.patient_id = ${patientId}
  where p.patient_id = ${patientId} and p.test_organization_id is null
  for update of p, w`;

/** Whatever has been permitted and goes on. */
export const selectConsentsInForce = (patientId: PatientId, now: Date) => sql<{
  project_id: ProjectId;
  consent_type: ConsentType;
}>`
  select project_id, consent_type from consent
  where patient_id = ${patientId} and consent_status = 'OPTED_IN' and expires_at > ${now}
  order by project_id, consent_type`;
