import type { OrganizationReach } from '../../../contract/audience.ts';
import type { OrganizationId, PatientId, ProjectId } from '../../../contract/brands.ts';
import { raw, sql, type Sql } from '../../platform/db/sql.ts';

type PhoneReach = Pick<OrganizationReach, 'organizationId' | 'projectIds'>;

/** A condition on a number `t` of an organization: it was written in one of the projects that the caller is limited to. */
export function isPhoneWithinProjects({ projectIds }: Pick<PhoneReach, 'projectIds'>): Sql {
  if (projectIds === null) return raw('true');
  if (projectIds.length === 0) return raw('false');
  const tookPartElsewhere = (table: 'enrollment' | 'past_enrollment'): Sql => sql`
    exists (select from ${raw(table)} o where o.patient_id = t.patient_id and o.organization_id = t.organization_id
      and o.project_id <> all (${projectIds}::uuid[]))`;
  return sql`
    case when t.project_ids is not null then t.project_ids && ${projectIds}::uuid[]
      else not ${tookPartElsewhere('enrollment')} and not ${tookPartElsewhere('past_enrollment')} end`;
}

/** The telephone numbers of a patient that a caller may see, as an array. */
export const listPhones = (patientId: PatientId, reach: PhoneReach): Sql => sql`
  array(select t.phone from patient_phone t
    where t.organization_id = ${reach.organizationId} and t.patient_id = ${patientId} and ${isPhoneWithinProjects(reach)}
    order by t.phone)`;

export interface WrittenPhone {
  patientId: PatientId;
  phone: string;
}

/** Of a number that is there already: it was written in these projects too. */
const ADD_PROJECTS = raw(`
  on conflict (organization_id, phone, patient_id) do update
  set project_ids = array(select unnest(patient_phone.project_ids) union select unnest(excluded.project_ids))`);

/** Inserts the telephone numbers by which an organization finds its patients later, as written in these projects. */
export const insertPhones = (
  organizationId: OrganizationId,
  projectIds: readonly ProjectId[],
  phones: readonly WrittenPhone[],
) => sql`
  insert into patient_phone (organization_id, phone, patient_id, project_ids)
  select ${organizationId}, phone, patient_id, ${projectIds}::uuid[]
  from unnest(${phones.map(({ phone }) => phone)}::text[], ${phones.map(({ patientId }) => patientId)}::uuid[]) as t(phone, patient_id)
  ${ADD_PROJECTS}`;

/** Selects in which projects the numbers were written that a caller may see, as far as that is known. */
export const selectProjectsOfPhones = (patientId: PatientId, reach: PhoneReach) => sql<{
  project_id: ProjectId;
}>`
  select distinct unnest(t.project_ids) as project_id from patient_phone t
  where t.organization_id = ${reach.organizationId} and t.patient_id = ${patientId} and ${isPhoneWithinProjects(reach)}`;

/** Deletes the numbers that a caller may see, unless they were also written in a project that it may not. */
export const deletePhones = (patientId: PatientId, reach: PhoneReach) => sql`
  delete from patient_phone t
  where t.organization_id = ${reach.organizationId} and t.patient_id = ${patientId} and ${isPhoneWithinProjects(reach)}
    and (${reach.projectIds}::uuid[] is null or t.project_ids is null or t.project_ids <@ ${reach.projectIds}::uuid[])`;

/** Takes projects off the numbers of a patient; the numbers stay the organization's. */
export const releasePhones = (
  patientId: PatientId,
  organizationId: OrganizationId,
  projectIds: readonly ProjectId[],
) => sql`
  update patient_phone t
  set project_ids = array(select unnest(t.project_ids) except select unnest(${projectIds}::uuid[]))
  where t.organization_id = ${organizationId} and t.patient_id = ${patientId} and t.project_ids && ${projectIds}::uuid[]`;

/** Deletes the telephone numbers by which an organization found a patient who takes part with it no more. */
export const deleteUnusedPhones = (patientId: PatientId, organizationId: OrganizationId) => sql`
  delete from patient_phone where organization_id = ${organizationId} and patient_id = ${patientId}
    and not exists (
      select from enrollment e where e.patient_id = ${patientId} and e.organization_id = ${organizationId})`;

/** Gives whoever takes an enrollment over the telephone numbers that were written of the former person with it. */
export const copyPhones = (
  { from, to }: { from: PatientId; to: PatientId },
  { organizationId, projectId }: { organizationId: OrganizationId; projectId: ProjectId },
) => sql`
  insert into patient_phone (organization_id, phone, patient_id, project_ids)
  select organization_id, phone, ${to}, array[${projectId}::uuid] from patient_phone
  where organization_id = ${organizationId} and patient_id = ${from}
    and (project_ids is null or ${projectId} = any (project_ids))
  ${ADD_PROJECTS}`;
