import type {
  ConsentRecordId,
  Email,
  OrganizationId,
  PatientId,
  ProjectId,
} from '../../../contract/brands.ts';
import { sql } from '../../platform/db/sql.ts';

interface PatientIdRow {
  patient_id: PatientId;
}

export const selectPatientOfRecord = (consentRecordId: ConsentRecordId) => sql<PatientIdRow>`
  select patient_id from consent_record_patient where consent_record_id = ${consentRecordId}`;

/** Also who has deleted their account: the records of what they agreed to stay. */
export const selectPatientById = (patientId: PatientId) => sql<PatientIdRow>`
  select patient_id from patient where patient_id = ${patientId}
  union
  select patient_id from consent_record where patient_id = ${patientId}`;

export const selectAccountById = (patientId: PatientId) => sql<PatientIdRow>`
  select patient_id from patient where patient_id = ${patientId}`;

export const selectPatientByEmail = (email: Email) => sql<PatientIdRow>`
  select patient_id from patient_email where email = ${email}`;

/** At most two: that it is more than one is all that matters. */
export const selectPatientsByPhone = (organizationId: OrganizationId, phone: string) => sql<PatientIdRow>`
  select patient_id from patient_phone where organization_id = ${organizationId} and phone = ${phone} limit 2`;

/** At most two, likewise. */
export const selectPatientsByExternalId = (
  organizationId: OrganizationId,
  externalId: string,
) => sql<PatientIdRow>`
  select distinct patient_id from enrollment
  where organization_id = ${organizationId} and external_id = ${externalId} limit 2`;

/** Whether an organization knows this very patient by the number. */
export const hasPhone = (patientId: PatientId, phone: string) => sql<PatientIdRow>`
  select patient_id from patient_phone p join enrollment e using (organization_id, patient_id)
  where e.patient_id = ${patientId} and p.phone = ${phone} limit 1`;

export const hasExternalId = (patientId: PatientId, externalId: string) => sql<PatientIdRow>`
  select patient_id from enrollment where patient_id = ${patientId} and external_id = ${externalId} limit 1`;

/** Whether the patient ever decided anything that concerns the organization. */
export const hasDecisionFor = (patientId: PatientId, organizationId: OrganizationId) => sql<PatientIdRow>`
  select patient_id from consent_record
  where patient_id = ${patientId} and organization_id = ${organizationId} limit 1`;

export const selectStudy = (studyId: ProjectId) => sql<{ organization_id: OrganizationId }>`
  select organization_id from project where project_id = ${studyId}`;
