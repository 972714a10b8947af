import type { CredentialId, Email, OrganizationId, PatientId, ProjectId } from '../../../contract/brands.ts';
import { asLookUp, sql, type Sql } from '../../platform/db/sql.ts';
import { isAheadOfStore } from '../../platform/db/store-clock.ts';

export interface PatientRow {
  patient_id: PatientId;
  email: string;
  first_name: string;
  last_name: string;
  date_of_birth: string | null;
  created_at: Date;
}

export interface NewPatient {
  patientId: PatientId;
  testOrganizationId: OrganizationId | null;
  /** The spelling of the input; addresses are compared in lower case. */
  email: string;
  firstName: string;
  lastName: string;
  dateOfBirth: string | null;
  phone: string | null;
  language: string | null;
}

const serializePatients = (patients: readonly NewPatient[]): string =>
  JSON.stringify(
    patients.map((patient) => ({
      patient_id: patient.patientId,
      test_organization_id: patient.testOrganizationId,
      email: patient.email,
      first_name: patient.firstName,
      last_name: patient.lastName,
      date_of_birth: patient.dateOfBirth,
      phone: patient.phone,
      language: patient.language,
    })),
  );

/** Claims e-mail addresses for new patients; returns those that were free. */
export const claimEmails = (patients: readonly NewPatient[]) => sql<{ email: Email; patient_id: PatientId }>`
  insert into patient_email (email, patient_id)
  select lower(email), patient_id from json_populate_recordset(null::patient, ${serializePatients(patients)}::json)
  on conflict (email) do nothing
  returning email, patient_id`;

export const insertPatients = (patients: readonly NewPatient[], now: Date) => sql`
  insert into patient (patient_id, test_organization_id, email, first_name, last_name, date_of_birth, phone, language, created_at)
  select patient_id, test_organization_id, email, first_name, last_name, date_of_birth, phone, language, ${now}
  from json_populate_recordset(null::patient, ${serializePatients(patients)}::json)`;

/** The language of mails to a person `p`: of the page that they used last while signed in, or else as their account was made. */
export const MAIL_LANGUAGE = sql`coalesce(p.page_language, p.language)`;

export const updatePageLanguage = (patientId: PatientId, language: string) => sql`
  update patient set page_language = ${language}
  where patient_id = ${patientId} and page_language is distinct from ${language}`;

/** Sets the language of a person of whom none is known. */
export const setFirstLanguage = (patientId: PatientId, language: string) => sql`
  update patient set language = ${language} where patient_id = ${patientId} and language is null`;

/** Selects those who are people: neither test patients nor deleted. */
export const selectPeople = (patientIds: readonly PatientId[]) => sql<{ patient_id: PatientId }>`
  select patient_id from patient where patient_id = any(${patientIds}::uuid[]) and test_organization_id is null`;

/** Notes that the patient's record holds what a connected server sent. */
export const markRecordsFetched = (patientId: PatientId) => sql`
  update patient set has_fetched_records = true where patient_id = ${patientId} and not has_fetched_records`;

/**
 * Sets a password; its new credential ends the tokens and sessions that were obtained with the one before. The first makes an
 * account, which the lists of those who enrolled the person show.
 */
export const upsertPassword = (patientId: PatientId, hash: string, now: Date) => sql`
  with account as (
    update enrollment set account_at = ${now} where patient_id = ${patientId} and account_at is null)
  insert into patient_password (patient_id, password_hash, changed_at, credential_id)
  values (${patientId}, ${hash}, ${now}, gen_random_uuid())
  on conflict (patient_id) do update
    set password_hash = excluded.password_hash, changed_at = excluded.changed_at, credential_id = excluded.credential_id`;

/** A condition: the patient's password is still the one of the credential. */
export const isPasswordCurrent = (patientId: PatientId | Sql, credentialId: CredentialId | Sql): Sql => sql`
  exists (select from patient_password where patient_id = ${patientId} and credential_id = ${credentialId})`;

/** False where there is no such patient any more. */
export const selectIsPasswordCurrent = (
  patientId: PatientId,
  credentialId: CredentialId,
  tokenExpiresAt: Date,
) =>
  asLookUp(sql<{ current: boolean }>`
  select ${isAheadOfStore(tokenExpiresAt)} and ${isPasswordCurrent(patientId, credentialId)} as current`);

export interface LockedPatientRow {
  patient_id: PatientId;
  test_organization_id: OrganizationId | null;
  has_account: boolean;
}

/** Locks patients against deletion until they are enrolled, in the same order in every transaction that enrolls. */
export const lockPatientsByEmail = (emails: readonly Email[]) => sql<LockedPatientRow & { email: Email }>`
  select m.email, m.patient_id, p.test_organization_id, w.patient_id is not null as has_account
  from patient_email m join patient p on p.patient_id = m.patient_id
  left join patient_password w on w.patient_id = m.patient_id
  where m.email = any(${emails}::text[])
  order by p.patient_id for key share of p`;

/** Likewise by their ids. */
export const lockPatientsById = (patientIds: readonly PatientId[]) => sql<LockedPatientRow>`
  select p.patient_id, p.test_organization_id, w.patient_id is not null as has_account
  from patient p left join patient_password w on w.patient_id = p.patient_id
  where p.patient_id = any(${patientIds}::uuid[])
  order by p.patient_id for key share of p`;

/** Selects whom an organization calls by these addresses: where several, the one in this project, else the newest. */
export const selectEnrolledByEmail = (
  { organizationId, projectId }: { organizationId: OrganizationId; projectId: ProjectId },
  emails: readonly Email[],
) => sql<{ email: Email; patient_id: PatientId }>`
  select distinct on (lower(e.email)) lower(e.email) as email, e.patient_id from enrollment e
  where e.organization_id = ${organizationId} and lower(e.email) = any(${emails}::text[])
  order by lower(e.email), e.project_id = ${projectId} desc, e.created_at desc, e.patient_id`;

export interface NewEnrollment {
  patientId: PatientId;
  externalId: string | null;
  /** As the organization wrote them: the name and address of an account are the person's own. */
  email: string;
  firstName: string;
  lastName: string;
  dateOfBirth: string | null;
  language: string | null;
  hasAccount: boolean;
}

export const insertEnrollments = (
  entries: readonly NewEnrollment[],
  project: { projectId: ProjectId; organizationId: OrganizationId; now: Date },
) => sql<{
  patient_id: PatientId;
}>`
  insert into enrollment (patient_id, project_id, organization_id, external_id, email, first_name, last_name, date_of_birth, language,
    created_at, account_at)
  select e.patient_id, ${project.projectId}, ${project.organizationId}, e.external_id, e.email, e.first_name, e.last_name,
    e.date_of_birth, e.language, ${project.now}, case when e.has_account then ${project.now}::timestamptz end
  from unnest(${entries.map(({ patientId }) => patientId)}::uuid[], ${entries.map(({ externalId }) => externalId)}::text[],
      ${entries.map(({ email }) => email)}::text[], ${entries.map(({ firstName }) => firstName)}::text[],
      ${entries.map(({ lastName }) => lastName)}::text[], ${entries.map(({ dateOfBirth }) => dateOfBirth)}::text[],
      ${entries.map(({ language }) => language)}::text[], ${entries.map(({ hasAccount }) => hasAccount)}::boolean[])
    as e(patient_id, external_id, email, first_name, last_name, date_of_birth, language, has_account)
  on conflict (patient_id, project_id) do nothing
  returning patient_id`;

/**
 * Enrolls a person who consents on the consent page, unless they are enrolled already; a test patient only in a
 * project of its own organization.
 */
export const enrollByConsent = (patientId: PatientId, projectId: ProjectId, now: Date) => sql`
  insert into enrollment (patient_id, project_id, organization_id, created_at, opened_at, account_at)
  select p.patient_id, pr.project_id, pr.organization_id, ${now}, ${now}, ${now}
  from patient p, project pr
  where p.patient_id = ${patientId} and pr.project_id = ${projectId}
    and (p.test_organization_id is null or p.test_organization_id = pr.organization_id)
  on conflict (patient_id, project_id) do nothing`;

/** Selects what a login is checked against; a patient without a password has no row and cannot log in. */
export const findLogin = (email: Email) => sql<
  PatientRow & { password_hash: string; credential_id: CredentialId; is_test_patient: boolean }
>`
  select p.patient_id, p.email, p.first_name, p.last_name, p.date_of_birth, p.created_at, w.password_hash, w.credential_id,
    p.test_organization_id is not null as is_test_patient
  from patient_email m
  join patient p on p.patient_id = m.patient_id
  join patient_password w on w.patient_id = m.patient_id
  where m.email = ${email}`;

export const findEnrollment = (patientId: PatientId, projectId: ProjectId) => sql<{
  organization_id: OrganizationId;
}>`
  select organization_id from enrollment where patient_id = ${patientId} and project_id = ${projectId}`;

export const selectDemographics = (patientId: PatientId) => sql<{
  first_name: string;
  last_name: string;
  date_of_birth: string | null;
  email: string;
  phone: string | null;
  is_test_patient: boolean;
}>`
  select first_name, last_name, date_of_birth, email, phone, test_organization_id is not null as is_test_patient
  from patient where patient_id = ${patientId}`;

/** Selects the day of birth that an organization has written of a patient; null: none, or there is no enrollment. */
export const selectWrittenDateOfBirth = (patientId: PatientId, organizationId: OrganizationId) => sql<{
  date_of_birth: string | null;
}>`
  select max(date_of_birth) as date_of_birth from (
    select date_of_birth from enrollment
    where patient_id = ${patientId} and organization_id = ${organizationId} and date_of_birth is not null
    order by created_at desc, project_id limit 1) written`;

/** Selects the ids under which these projects of an organization, or all where null, enrolled the patient. */
export const selectExternalIds = (
  patientId: PatientId,
  { organizationId, projectIds }: { organizationId: OrganizationId; projectIds: readonly ProjectId[] | null },
) => sql<{ external_id: string }>`
  select distinct external_id from enrollment
  where patient_id = ${patientId} and organization_id = ${organizationId} and external_id is not null
    and (${projectIds}::uuid[] is null or project_id = any(${projectIds}::uuid[]))`;

/**
 * Locks a patient's enrollments in the order in which decisions lock them, so that one transaction waits for the other
 * instead of being repeated after a deadlock.
 */
export const lockEnrollments = (patientId: PatientId) => sql`
  select from enrollment where patient_id = ${patientId} order by project_id for update`;
