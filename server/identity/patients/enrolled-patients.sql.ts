import type { OrganizationReach } from '../../../contract/audience.ts';
import type { Email, OrganizationId, PatientId, ProjectId } from '../../../contract/brands.ts';
import { raw, sql } from '../../platform/db/sql.ts';
import { BRAND_COLUMNS, ORGANIZATION_NAME, type BrandRow } from '../organizations/organizations.sql.ts';
import { isWithinProjects } from '../organizations/reach.sql.ts';

export interface EnrolledPatientRow {
  patient_id: PatientId;
  email: string;
  first_name: string;
  last_name: string;
  language: string | null;
  external_id: string | null;
  is_test_patient: boolean;
  /** They have signed in, or take part with another organization: what it wrote of them is not this one's alone. */
  is_own: boolean;
  is_known_elsewhere: boolean;
  phones: string[];
  /** As the organization wrote them; null: the person came by an app. */
  enrolled_email: string | null;
  enrolled_first_name: string | null;
  enrolled_last_name: string | null;
}

/** Selects a patient as an organization knows them by an enrollment, and locks them until what it wrote is corrected. */
export const lockEnrolledPerson = (
  patientId: PatientId,
  { projectId, organizationId }: { projectId: ProjectId; organizationId: OrganizationId },
) => sql<EnrolledPatientRow>`
  select p.patient_id, p.email, p.first_name, p.last_name, p.language, e.external_id,
    e.email as enrolled_email, e.first_name as enrolled_first_name, e.last_name as enrolled_last_name,
    p.test_organization_id is not null as is_test_patient,
    exists (select from patient_password w where w.patient_id = ${patientId}) or o.is_known_elsewhere as is_own,
    o.is_known_elsewhere,
    array(select phone from patient_phone t
      where t.organization_id = ${organizationId} and t.patient_id = ${patientId} order by phone) as phones
  from enrollment e join patient p on p.patient_id = ${patientId},
    lateral (select exists (
      select from enrollment o where o.patient_id = ${patientId} and o.organization_id <> ${organizationId}
    ) as is_known_elsewhere) o
  where e.patient_id = ${patientId} and e.project_id = ${projectId} and e.organization_id = ${organizationId}
  for no key update of e for no key update of p`;

/** Gives a patient another address; returns no row when somebody has it. */
export const claimEmail = (patientId: PatientId, email: Email) => sql<{ patient_id: PatientId }>`
  insert into patient_email (email, patient_id) values (${email}, ${patientId})
  on conflict (email) do nothing returning patient_id`;

export const releaseEmails = (patientId: PatientId, kept: Email) => sql`
  delete from patient_email where patient_id = ${patientId} and email <> ${kept}`;

/** Corrects a person whom one organization alone knows, and what its enrollments say of them. */
export const updatePerson = (
  patientId: PatientId,
  person: { email: string; firstName: string; lastName: string },
) => sql`
  with enrolled as (
    update enrollment set email = ${person.email}, first_name = ${person.firstName}, last_name = ${person.lastName}
    where patient_id = ${patientId} and email is not null)
  update patient set email = ${person.email}, first_name = ${person.firstName}, last_name = ${person.lastName}
  where patient_id = ${patientId}`;

/** What is null stays as it is. */
export const updateDetails = (
  patientId: PatientId,
  { dateOfBirth, language }: { dateOfBirth: string | null; language: string | null },
) => sql`
  update patient set date_of_birth = coalesce(${dateOfBirth}, date_of_birth), language = coalesce(${language}, language)
  where patient_id = ${patientId}`;

/** The number that decides at a connected server between people of the same name. */
export const updatePhone = (patientId: PatientId, phone: string | null) => sql`
  update patient set phone = ${phone} where patient_id = ${patientId}`;

export const updateExternalId = (
  patientId: PatientId,
  projectId: ProjectId,
  externalId: string | null,
) => sql`
  update enrollment set external_id = ${externalId} where patient_id = ${patientId} and project_id = ${projectId}`;

export const deletePhones = (patientId: PatientId, organizationId: OrganizationId) => sql`
  delete from patient_phone where organization_id = ${organizationId} and patient_id = ${patientId}`;

export const deleteEnrollment = (patientId: PatientId, projectId: ProjectId) => sql`
  delete from enrollment where patient_id = ${patientId} and project_id = ${projectId}`;

/** Deletes the telephone numbers by which an organization found a patient who takes part with it no more. */
export const deleteUnusedPhones = (patientId: PatientId, organizationId: OrganizationId) => sql`
  delete from patient_phone where organization_id = ${organizationId} and patient_id = ${patientId}
    and not exists (
      select from enrollment e where e.patient_id = ${patientId} and e.organization_id = ${organizationId})`;

/** Selects by what name the only organization that a patient takes part with is known; no row where there are several or none. */
export const selectOnlyOrganization = (patientId: PatientId) => sql<BrandRow & { name: string }>`
  select max(name) as name, max(accent_color) as accent_color, max(mark_hash) as mark_hash from (
    select ${ORGANIZATION_NAME} as name, ${BRAND_COLUMNS} from organization o
    where o.organization_id in (select e.organization_id from enrollment e where e.patient_id = ${patientId})) theirs
  having count(*) = 1`;

/** A row when somebody is enrolled in a project that the caller may see. */
export const hasEnrollment = (reach: OrganizationReach) => sql<{ patient_id: PatientId }>`
  select patient_id from enrollment
  where organization_id = ${reach.organizationId} and ${isWithinProjects(reach, raw('project_id'))} limit 1`;
