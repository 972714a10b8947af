import type { PatientId } from '../../../contract/brands.ts';
import { sql } from '../../platform/db/sql.ts';
import { MAIL_LANGUAGE } from './patients.sql.ts';
import { ORGANIZATION_NAME } from '../organizations/organizations.sql.ts';

/** Who a person is by their account, as a file for them says it. */
export interface OwnAccount {
  patientId: PatientId;
  email: string;
  firstName: string;
  lastName: string;
  dateOfBirth: string | null;
  phone: string | null;
  language: string | null;
  isTestPatient: boolean;
  createdAt: Date;
}

export const selectOwnAccount = (patientId: PatientId) => sql<OwnAccount>`
  select p.patient_id as "patientId", email, first_name as "firstName", last_name as "lastName",
    date_of_birth as "dateOfBirth", phone, ${MAIL_LANGUAGE} as language, test_organization_id is not null as "isTestPatient",
    created_at as "createdAt"
  from patient p where p.patient_id = ${patientId}`;

/** What an organization wrote of a person when it enrolled them in a project, and how far they came; null: nothing. */
export interface OwnEnrollment {
  organization: string;
  project: string;
  externalId: string | null;
  email: string | null;
  firstName: string | null;
  lastName: string | null;
  /** Those that the organization knows the person by. */
  phones: string[];
  enrolledAt: Date;
  invitedAt: Date | null;
  lastInvitedAt: Date | null;
  openedAt: Date | null;
  accountAt: Date | null;
  decidedAt: Date | null;
  endedAt: Date | null;
}

/** Selects all enrollments of a person, those that have ended too, the oldest first. */
export const selectOwnEnrollments = (patientId: PatientId) => sql<OwnEnrollment>`
  select ${ORGANIZATION_NAME} as organization, pr.name as project, e.external_id as "externalId", e.email,
    e.first_name as "firstName", e.last_name as "lastName",
    array(select phone from patient_phone t
      where t.organization_id = e.organization_id and t.patient_id = ${patientId} order by phone) as phones,
    e.created_at as "enrolledAt", e.invited_at as "invitedAt", e.last_invited_at as "lastInvitedAt",
    e.opened_at as "openedAt", e.account_at as "accountAt", e.decided_at as "decidedAt", e.ended_at as "endedAt"
  from (
    select organization_id, project_id, external_id, email, first_name, last_name, created_at, invited_at, last_invited_at,
      opened_at, account_at, decided_at, null::timestamptz as ended_at
    from enrollment where patient_id = ${patientId}
    union all
    select organization_id, project_id, external_id, null, null, null, created_at, null, null, null, null, null, ended_at
    from past_enrollment where patient_id = ${patientId}) e
  join project pr on pr.project_id = e.project_id
  join organization o on o.organization_id = e.organization_id
  order by e.created_at, e.project_id`;
