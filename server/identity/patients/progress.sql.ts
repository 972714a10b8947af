import type { Email, PatientId, ProjectId } from '../../../contract/brands.ts';
import { raw, sql, type Sql } from '../../platform/db/sql.ts';

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

/** Keeps what the list shows of a patient's enrollments that are about to be deleted; null: all of them. */
export const insertPastEnrollments = (
  patientId: PatientId,
  projectId: ProjectId | null,
  { state, now }: { state: 'ended' | 'deleted'; now: Date },
) => sql`
  insert into past_enrollment (patient_id, project_id, organization_id, external_id, created_at, ended_at, state)
  select patient_id, project_id, organization_id, ${state === 'deleted' ? raw('null') : raw('external_id')}, created_at, ${now}, ${state}
  from enrollment where patient_id = ${patientId} and ${isOf(projectId)}
  on conflict (patient_id, project_id) do update
    set external_id = excluded.external_id, created_at = excluded.created_at, ended_at = excluded.ended_at, state = excluded.state`;

/** Of a deleted account a random id is left, and nothing that an organization calls the person by. */
export const anonymizePastEnrollments = (patientId: PatientId, now: Date) => sql`
  update past_enrollment set external_id = null, state = 'deleted', ended_at = ${now}
  where patient_id = ${patientId} and state = 'ended'`;

const isOf = (projectId: ProjectId | null): Sql =>
  projectId === null ? raw('true') : sql`project_id = ${projectId}`;
