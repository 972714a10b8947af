import type { Email, OrganizationId, PatientId, ProjectId } from '../../../contract/brands.ts';
import { sql } from '../../platform/db/sql.ts';

/**
 * Selects and locks an enrollment by an address that is not its person's own, on which nothing was decided, unless the one whose
 * address it is takes part already, or one of the two is made up.
 */
export const lockMisaddressed = (
  { projectId, organizationId }: { projectId: ProjectId; organizationId: OrganizationId },
  { patientId, email }: { patientId: PatientId; email: Email },
) => sql<{ patient_id: PatientId }>`
  select e.patient_id from enrollment e
  where e.organization_id = ${organizationId} and lower(e.email) = ${email} and e.project_id = ${projectId}
    and e.standing is null and e.patient_id <> ${patientId}
    and not exists (select from patient_email m where m.email = ${email} and m.patient_id = e.patient_id)
    and not exists (select from patient p where p.patient_id = e.patient_id and p.test_organization_id is not null)
    and not exists (select from patient p where p.patient_id = ${patientId} and p.test_organization_id is not null)
    and not exists (select from enrollment o where o.patient_id = ${patientId} and o.project_id = ${projectId})
  order by e.created_at limit 1 for update of e`;

/** What is left of an enrollment when another person takes it over: all but how far the former one has come. */
export interface TakenEnrollment {
  organization_id: OrganizationId;
  external_id: string | null;
  email: string | null;
  first_name: string | null;
  last_name: string | null;
  date_of_birth: string | null;
  language: string | null;
  created_at: Date;
  invited_at: Date | null;
  last_invited_at: Date | null;
}

export const takeEnrollment = (patientId: PatientId, projectId: ProjectId) => sql<TakenEnrollment>`
  delete from enrollment where patient_id = ${patientId} and project_id = ${projectId}
  returning organization_id, external_id, email, first_name, last_name, date_of_birth, language, created_at, invited_at,
    last_invited_at`;

/** Inserts it for somebody who is signed in. */
export const insertTaken = (patientId: PatientId, projectId: ProjectId, taken: TakenEnrollment) => sql`
  insert into enrollment (patient_id, project_id, organization_id, external_id, email, first_name, last_name, date_of_birth, language,
    created_at, invited_at, last_invited_at, account_at)
  select w.patient_id, ${projectId}, ${taken.organization_id}, ${taken.external_id}, ${taken.email}, ${taken.first_name},
    ${taken.last_name}, ${taken.date_of_birth}, ${taken.language}, ${taken.created_at}, ${taken.invited_at}, ${taken.last_invited_at},
    w.changed_at
  from patient_password w where w.patient_id = ${patientId}
  on conflict (patient_id, project_id) do nothing`;
