import type { Email, OrganizationId, PatientId, ProjectId } from '../../../contract/brands.ts';
import { raw, sql, type Sql } from '../../platform/db/sql.ts';
import { isWithinProjects } from '../organizations/reach.sql.ts';
import type { EnrollmentTarget } from './enrolled-patients.sql.ts';

/** Notes that the invitation is mailed to these people, in the transaction that enqueues the mails. */
export const markInvited = (projectId: ProjectId, patientIds: readonly PatientId[], now: Date) => sql`
  update enrollment set invited_at = coalesce(invited_at, ${now}), last_invited_at = ${now}
  where patient_id = any(${patientIds}::uuid[]) and project_id = ${projectId}`;

/** Notes that an invited person came to the invitation, the first time. */
export const markOpened = (patientId: PatientId, projectId: ProjectId, now: Date) => sql`
  update enrollment set opened_at = ${now}
  where patient_id = ${patientId} and project_id = ${projectId} and opened_at is null`;

/** Likewise of whoever has the address that a link was mailed to. */
export const selectUnopened = (email: Email, projectId: ProjectId) => sql<{ patient_id: PatientId }>`
  select e.patient_id from patient_email m join enrollment e on e.patient_id = m.patient_id
  where m.email = ${email} and e.project_id = ${projectId} and e.opened_at is null`;

/** Where a person stands to a project by their decisions. */
export interface StandingRow {
  /** The latest end of the consents that were not withdrawn; null: there is none. */
  until: Date | null;
  has_consented: boolean;
}

/**
 * Notes a decision in the transaction that makes it, and where the person stands then: the list of patients is filtered by it.
 */
export const updateStanding = (
  patientId: PatientId,
  projectId: ProjectId,
  { decidedAt, standing }: { decidedAt: Date; standing: Sql<StandingRow> },
) => sql`
  update enrollment e set decided_at = coalesce(e.decided_at, ${decidedAt}), standing_since = ${decidedAt},
    consents_until = s.until,
    standing = case when s.until is not null then 'consents' when s.has_consented then 'withdrew' else 'declined' end
  from (${standing}) s
  where e.patient_id = ${patientId} and e.project_id = ${projectId}`;

/** Whether the person came to the invitation, or decided, in this enrollment or in one of the project before. */
const hasCome = (
  patientId: PatientId,
): Sql => sql`(e.opened_at is not null or e.decided_at is not null or exists (
  select from past_enrollment b where b.patient_id = ${patientId} and b.project_id = e.project_id and b.had_come is distinct from false))`;

const ON_REPEATED = raw(`
  on conflict (patient_id, project_id) do update
    set external_id = excluded.external_id, created_at = excluded.created_at, ended_at = excluded.ended_at, state = excluded.state,
      had_come = excluded.had_come`);

/** Keeps what the list shows of an enrollment that is about to be deleted. */
export const insertPastEnrollment = (patientId: PatientId, projectId: ProjectId, now: Date) => sql`
  insert into past_enrollment (patient_id, project_id, organization_id, external_id, created_at, ended_at, state, had_come)
  select patient_id, project_id, organization_id, external_id, created_at, ${now}, 'ended', ${hasCome(patientId)}
  from enrollment e where patient_id = ${patientId} and project_id = ${projectId}
  ${ON_REPEATED}`;

export interface DeletedEnrollmentRow {
  organization_id: OrganizationId;
  project_id: ProjectId;
  state: 'deleted' | 'ended';
}

/**
 * Keeps what the lists show of the enrollments of an account that is about to be deleted: a random id, and nothing that an
 * organization calls the person by. That there was an account is shown where the person had come, as while there was one; for
 * the others the enrollment has ended, on that day. Returns each as it is then listed.
 */
export const insertDeletedEnrollments = (patientId: PatientId, now: Date) => sql<DeletedEnrollmentRow>`
  insert into past_enrollment (patient_id, project_id, organization_id, external_id, created_at, ended_at, state, had_come)
  select patient_id, project_id, organization_id, null, created_at,
    case when came then ${now}::timestamptz else greatest(created_at, date_trunc('day', ${now}::timestamptz, 'UTC')) end,
    case when came then 'deleted' else 'ended' end, came
  from (select e.*, ${hasCome(patientId)} as came from enrollment e where patient_id = ${patientId}) e
  ${ON_REPEATED}
  returning organization_id, project_id, state`;

/** The same of enrollments that had ended before. */
export const anonymizePastEnrollments = (patientId: PatientId, now: Date) => sql`
  update past_enrollment set external_id = null, state = case when had_come is distinct from false then 'deleted' else state end,
    ended_at = case when had_come is distinct from false then ${now} else ended_at end
  where patient_id = ${patientId} and state = 'ended'`;

/** A row when an enrollment has ended before, of a project that the caller may see. */
export const hasPastEnrollment = (
  patientId: PatientId,
  { organizationId, projectId, projectIds }: EnrollmentTarget,
) => sql`
  select from past_enrollment e
  where e.patient_id = ${patientId} and e.organization_id = ${organizationId} and e.project_id = ${projectId}
    and ${isWithinProjects({ projectIds }, raw('e.project_id'))}`;
