import type { OrganizationReach } from '../../../contract/audience.ts';
import type { Email, OrganizationId, PatientId, ProjectId } from '../../../contract/brands.ts';
import { raw, sql } from '../../platform/db/sql.ts';
import { BRAND_COLUMNS, ORGANIZATION_NAME, type BrandRow } from '../organizations/organizations.sql.ts';
import { isWithinProjects } from '../organizations/reach.sql.ts';
import { MAIL_LANGUAGE } from './patients.sql.ts';
import { listPhones } from './patient-phones.sql.ts';

export interface EnrolledPatientRow {
  patient_id: PatientId;
  /** The person's own, or what the first who enrolled them wrote. */
  email: string;
  first_name: string;
  last_name: string;
  /** Of mails to them. */
  language: string | null;
  external_id: string | null;
  is_test_patient: boolean;
  has_account: boolean;
  /** Another organization, or a project that the caller may not see, knows them, and by this address, by these names. */
  is_known_elsewhere: boolean;
  is_address_shared: boolean;
  is_name_shared: boolean;
  /** They decided something on the project. */
  has_decided: boolean;
  /** They said yes once, whatever has become of it. */
  has_consented: boolean;
  /** The invitation was mailed to them, or they came to it. */
  was_invited: boolean;
  phones: string[];
  /** As the organization wrote them; null: the person came by an app. */
  enrolled_email: string | null;
  enrolled_first_name: string | null;
  enrolled_last_name: string | null;
  enrolled_language: string | null;
}

/** The enrollment that a change names, and the projects that the caller is limited to. */
export interface EnrollmentTarget {
  organizationId: OrganizationId;
  projectId: ProjectId;
  projectIds: OrganizationReach['projectIds'];
}

/**
 * Selects a patient as a caller's organization knows them by an enrollment, and locks them until what it wrote is corrected. What
 * stands in a project that the caller may not see is somebody else's, as that of another organization is.
 */
export const lockEnrolledPerson = (
  patientId: PatientId,
  { projectId, organizationId, projectIds }: EnrollmentTarget,
) => sql<EnrolledPatientRow>`
  select p.patient_id, p.email, p.first_name, p.last_name, ${MAIL_LANGUAGE} as language, e.external_id,
    e.email as enrolled_email, e.first_name as enrolled_first_name, e.last_name as enrolled_last_name,
    e.language as enrolled_language, e.standing is not null as has_decided,
    coalesce(e.standing in ('consents', 'withdrew'), false) as has_consented,
    coalesce(e.invited_at, e.opened_at) is not null as was_invited,
    p.test_organization_id is not null as is_test_patient,
    exists (select from patient_password w where w.patient_id = ${patientId}) as has_account,
    o.is_known as is_known_elsewhere, o.is_address_shared, o.is_name_shared,
    ${listPhones(patientId, { organizationId, projectIds })} as phones
  from enrollment e join patient p on p.patient_id = ${patientId},
    lateral (
      select count(*) > 0 as is_known,
        coalesce(bool_or(o.email is null or lower(o.email) = lower(p.email)), false) as is_address_shared,
        coalesce(bool_or(o.email is null or (o.first_name = p.first_name and o.last_name = p.last_name)), false) as is_name_shared
      from enrollment o where o.patient_id = ${patientId}
        and (o.organization_id <> ${organizationId} or not ${isWithinProjects({ projectIds }, raw('o.project_id'))})) o
  where e.patient_id = ${patientId} and e.project_id = ${projectId} and e.organization_id = ${organizationId}
  for no key update of e for no key update of p`;

/** What an organization writes of a person; null: it stays as it is. */
export interface WrittenPerson {
  email: string | null;
  firstName: string | null;
  lastName: string | null;
  dateOfBirth: string | null;
  language: string | null;
}

/**
 * Corrects what an organization wrote of a person: in this project, and in its others that the caller may see where it wrote
 * something. Whoever came by an app has no name in these.
 */
export const updateWritten = (
  patientId: PatientId,
  { organizationId, projectId, projectIds }: EnrollmentTarget,
  { email, firstName, lastName, dateOfBirth, language }: WrittenPerson,
) => sql`
  update enrollment set email = coalesce(${email}, email), first_name = coalesce(${firstName}, first_name),
    last_name = coalesce(${lastName}, last_name), date_of_birth = coalesce(${dateOfBirth}, date_of_birth),
    language = coalesce(${language}, language)
  where patient_id = ${patientId} and organization_id = ${organizationId} and (project_id = ${projectId} or email is not null)
    and ${isWithinProjects({ projectIds }, raw('project_id'))}`;

/** A row when the organization calls somebody else in the project by this address. */
export const hasOtherWithAddress = (
  patientId: PatientId,
  { organizationId, projectId }: { organizationId: OrganizationId; projectId: ProjectId },
  email: Email,
) => sql<{ patient_id: PatientId }>`
  select e.patient_id from enrollment e
  where e.organization_id = ${organizationId} and e.project_id = ${projectId} and lower(e.email) = ${email}
    and e.patient_id <> ${patientId} limit 1`;

/** Gives a patient another address, unless somebody has it. */
export const claimEmail = (patientId: PatientId, email: Email) => sql`
  insert into patient_email (email, patient_id) values (${email}, ${patientId}) on conflict (email) do nothing`;

/** Gives a patient the address of another one, who has no account. */
export const takeEmail = (patientId: PatientId, email: Email, from: PatientId) => sql`
  update patient_email set patient_id = ${patientId} where email = ${email} and patient_id = ${from}`;

/** A row when the address is the patient's. */
export const hasEmail = (patientId: PatientId, email: Email) => sql<{ email: Email }>`
  select email from patient_email where email = ${email} and patient_id = ${patientId}`;

export const releaseEmails = (patientId: PatientId, kept: Email) => sql`
  delete from patient_email where patient_id = ${patientId} and email <> ${kept}`;

/** Corrects what is shared of a person, what is null stays as it is; says whether their record shows something else now. */
export const updatePerson = (
  patientId: PatientId,
  { email, firstName, lastName, dateOfBirth, language }: WrittenPerson,
) => sql<{ is_seen: boolean; created_at: Date }>`
  update patient p set email = coalesce(${email}, p.email), first_name = coalesce(${firstName}, p.first_name),
    last_name = coalesce(${lastName}, p.last_name), date_of_birth = coalesce(${dateOfBirth}, p.date_of_birth),
    language = coalesce(${language}, p.language)
  from (
    select first_name, last_name, date_of_birth from patient where patient_id = ${patientId}) former
  where p.patient_id = ${patientId}
  returning p.created_at, (p.first_name, p.last_name, p.date_of_birth)
    is distinct from (former.first_name, former.last_name, former.date_of_birth) as is_seen`;

/** The number that decides at a connected server between people of the same name. */
export const updatePhone = (patientId: PatientId, phone: string | null) => sql`
  update patient set phone = ${phone} where patient_id = ${patientId}`;

export const updateExternalId = (
  patientId: PatientId,
  projectId: ProjectId,
  externalId: string | null,
) => sql`
  update enrollment set external_id = ${externalId} where patient_id = ${patientId} and project_id = ${projectId}`;

export const deleteEnrollment = (patientId: PatientId, projectId: ProjectId) => sql`
  delete from enrollment where patient_id = ${patientId} and project_id = ${projectId}`;

/** Selects by what name the only organization that a patient takes part with is known; no row where there are several or none. */
export const selectOnlyOrganization = (patientId: PatientId) => sql<
  BrandRow & { name: string; time_zone: string | null }
>`
  select max(name) as name, max(time_zone) as time_zone, max(accent_color) as accent_color, max(mark_hash) as mark_hash from (
    select ${ORGANIZATION_NAME} as name, o.time_zone, ${BRAND_COLUMNS} from organization o
    where o.organization_id in (select e.organization_id from enrollment e where e.patient_id = ${patientId})) theirs
  having count(*) = 1`;

/** A row when somebody is enrolled in a project that the caller may see. */
export const hasEnrollment = (reach: OrganizationReach) => sql<{ patient_id: PatientId }>`
  select patient_id from enrollment
  where organization_id = ${reach.organizationId} and ${isWithinProjects(reach, raw('project_id'))} limit 1`;
