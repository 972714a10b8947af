import type { OrganizationReach } from '../../../contract/audience.ts';
import type { OrganizationId, PatientId, ProjectId } from '../../../contract/brands.ts';
import { isWithinProjects } from '../../identity/organizations/reach.sql.ts';
import { raw, sql, type Sql } from '../../platform/db/sql.ts';
import { permitsReading } from './permits-reading.sql.ts';
import { currentMasks, resolveWithheld } from './withheld.sql.ts';

/** Patients of one kind in projects of an organization: these, or all of them where null. */
export interface ProjectScope {
  organizationId: OrganizationId;
  projectIds: readonly ProjectId[] | null;
  /** Test patients only, or real ones only. */
  testPatients: boolean;
}

/** A condition: the patient (SQL) is a test patient. */
export const isTestPatient = (patientId: Sql): Sql => sql`
  exists (select from patient t where t.patient_id = ${patientId} and t.test_organization_id is not null)`;

/** A condition on a row `e` of `enrollment`. */
const isInScope = (
  { organizationId, projectIds, testPatients }: ProjectScope,
  patientId: Sql = raw('e.patient_id'),
): Sql => sql`
  e.organization_id = ${organizationId} and ${isTestPatient(patientId)} = ${testPatients} and (${projectIds}::uuid[] is null or e.project_id = any(${projectIds}::uuid[]))`;

/** A condition: the patient (SQL) takes part in a project that the caller is limited to; true for a caller who is not. */
export const isEnrolledWithin = (reach: OrganizationReach, patientId: Sql): Sql =>
  reach.projectIds === null
    ? raw('true')
    : sql`exists (
        select from enrollment e where e.patient_id = ${patientId} and e.organization_id = ${reach.organizationId}
          and ${isWithinProjects(reach, raw('e.project_id'))})`;

/**
 * A condition: the patient (SQL) lets one of the projects that the caller may see read now. An organization enrolls whom it
 * likes: what is in a record is for those to know with whom it is shared.
 */
export const sharesWith = (reach: OrganizationReach, patientId: Sql, now: Date): Sql => sql`
  exists (select from (${selectReadingMasks(reach, patientId, now)}) shared)`;

/** A subquery: what each consent, or part of one, under which the caller may read a patient's (SQL) record now leaves out, as `withheld`. */
export const selectReadingMasks = (reach: OrganizationReach, patientId: Sql, now: Date): Sql => sql`
  select ${resolveWithheld(raw('m.withheld'), patientId)} as withheld
  from enrollment g join consent c on c.patient_id = g.patient_id and c.project_id = g.project_id
  cross join ${currentMasks(now)} m
  where g.patient_id = ${patientId} and g.organization_id = ${reach.organizationId}
    and ${isWithinProjects(reach, raw('g.project_id'))} and ${permitsReading(now)}`;

/**
 * A subquery: each patient who shares the whole record with an organization now, with the first project that may read it. What
 * is counted of a record is for nobody else: how much of it is withheld would show by it.
 */
export const wholeSharers = (organizationId: OrganizationId, now: Date): Sql => sql`(
  select distinct on (e.patient_id) e.patient_id, e.project_id
  from enrollment e join consent c on c.patient_id = e.patient_id and c.project_id = e.project_id
  cross join ${currentMasks(now)} m
  where e.organization_id = ${organizationId} and ${permitsReading(now)} and ${resolveWithheld(raw('m.withheld'), raw('e.patient_id'))} = 0
  order by e.patient_id, e.created_at, e.project_id)`;

/** Says whether one of the projects may read the patient's record now. */
export const selectIsPermitted = (patientId: PatientId, scope: ProjectScope, now: Date) => sql<{
  permitted: boolean;
}>`
  select exists (select from consent c join enrollment e on e.patient_id = ${patientId} and e.project_id = c.project_id
    where c.patient_id = ${patientId} and ${isInScope(scope, sql`${patientId}::uuid`)} and ${permitsReading(now)}) as permitted`;

/** Selects the patients whose record one of the projects may read now, in the order of their ids. */
export const selectConsentingPatients = (
  scope: ProjectScope,
  { after, limit, now }: { after: string; limit: number; now: Date },
) => sql<{ patient_id: PatientId }>`
  select distinct e.patient_id from enrollment e
  join consent c on c.patient_id = e.patient_id and c.project_id = e.project_id
  where ${isInScope(scope)} and e.patient_id > ${after} and ${permitsReading(now)}
  order by e.patient_id limit ${limit}`;

export const countConsentingPatients = (scope: ProjectScope, now: Date) => sql<{ patients: number }>`
  select count(distinct e.patient_id) as patients from enrollment e
  join consent c on c.patient_id = e.patient_id and c.project_id = e.project_id
  where ${isInScope(scope)} and ${permitsReading(now)}`;

/** Selects the organizations that a patient takes part with, whose audit logs record changes to what they may see. */
export const selectEnrolledOrganizations = (patientId: PatientId) => sql<{ organization_id: OrganizationId }>`
  select distinct organization_id from enrollment where patient_id = ${patientId} order by organization_id`;
