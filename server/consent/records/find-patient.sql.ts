import type { OrganizationReach } from '../../../contract/audience.ts';
import type { Email, OrganizationId, PatientId } from '../../../contract/brands.ts';
import { isWithinProjects } from '../../identity/organizations/reach.sql.ts';
import { isPhoneWithinProjects } from '../../identity/patients/patient-phones.sql.ts';
import { raw, sql } from '../../platform/db/sql.ts';

export interface PatientIdRow {
  patient_id: PatientId;
}

/** Also finds patients who deleted their account: their consent records remain. */
export const selectPatientById = (patientId: PatientId) => sql<PatientIdRow>`
  select patient_id from patient where patient_id = ${patientId}
  union
  select patient_id from consent_record where patient_id = ${patientId}`;

export const selectAccountById = (patientId: PatientId) => sql<PatientIdRow>`
  select patient_id from patient where patient_id = ${patientId}`;

/** A family shares a number; more than these are no family. */
const MAX_SHARED = 100;

/** Selects whom an organization calls by an address. */
export const selectPatientsByWrittenEmail = (reach: OrganizationReach, email: Email) => sql<PatientIdRow>`
  select distinct patient_id from enrollment
  where organization_id = ${reach.organizationId} and lower(email) = ${email}
    and ${isWithinProjects(reach, raw('project_id'))} limit ${MAX_SHARED}`;

export const selectPatientByEmail = (email: Email) => sql<PatientIdRow>`
  select patient_id from patient_email where email = ${email}`;

export const selectPatientsByPhone = (reach: OrganizationReach, phone: string) => sql<PatientIdRow>`
  select t.patient_id from patient_phone t
  where t.organization_id = ${reach.organizationId} and t.phone = ${phone} and ${isPhoneWithinProjects(reach)} limit ${MAX_SHARED}`;

export const selectPatientsByExternalId = (reach: OrganizationReach, externalId: string) => sql<PatientIdRow>`
  select distinct patient_id from enrollment
  where organization_id = ${reach.organizationId} and external_id = ${externalId}
    and ${isWithinProjects(reach, raw('project_id'))} limit ${MAX_SHARED}`;

/** Returns a row when an organization stores the number for this patient. */
export const hasPhone = (patientId: PatientId, phone: string) => sql<PatientIdRow>`
  select patient_id from patient_phone p join enrollment e using (organization_id, patient_id)
  where e.patient_id = ${patientId} and p.phone = ${phone} limit 1`;

export const hasExternalId = (patientId: PatientId, externalId: string) => sql<PatientIdRow>`
  select patient_id from enrollment where patient_id = ${patientId} and external_id = ${externalId} limit 1`;

/** Returns a row when the patient has ever made a decision for the organization, on a project that the caller may see. */
export const hasDecisionFor = (patientId: PatientId, reach: OrganizationReach) => sql<PatientIdRow>`
  select patient_id from consent_record
  where patient_id = ${patientId} and organization_id = ${reach.organizationId}
    and ${isWithinProjects(reach, raw('project_id'))} limit 1`;

/** Selects those of the patients who have ever made such a decision. */
export const selectDecided = (patientIds: readonly PatientId[], reach: OrganizationReach) =>
  sql<PatientIdRow>`
  select distinct patient_id from consent_record
  where patient_id = any(${patientIds}::uuid[]) and organization_id = ${reach.organizationId}
    and ${isWithinProjects(reach, raw('project_id'))}`;

/** Whether there is such a patient, and they ever took part in one of the organization's projects. */
export const selectHasTakenPart = (patientId: PatientId, organizationId: OrganizationId) => sql<{
  took_part: boolean;
}>`
  select exists (select from patient p where p.patient_id = ${patientId}) and (
    exists (select from enrollment e where e.patient_id = ${patientId} and e.organization_id = ${organizationId})
    or exists (select from consent_record r where r.patient_id = ${patientId} and r.organization_id = ${organizationId}))
    as took_part`;
