import type { OrganizationReach } from '../../../contract/audience.ts';
import type { OrganizationId, ProjectId } from '../../../contract/brands.ts';
import type { PageQuery } from '../../../contract/page-query.ts';
import { raw, sql, type Sql } from '../../platform/db/sql.ts';
import { isWithinProjects } from './reach.sql.ts';

export interface ProjectRow {
  project_id: ProjectId;
  organization_id: OrganizationId;
  name: string;
}

export const insertProject = (project: ProjectRow & { purpose: string | null; now: Date }) => sql`
  insert into project (project_id, organization_id, name, purpose, created_at)
  values (${project.project_id}, ${project.organization_id}, ${project.name}, ${project.purpose}, ${project.now})`;

export const findProject = (projectId: ProjectId) => sql<ProjectRow>`
  select project_id, organization_id, name from project where project_id = ${projectId}`;

/** A project with its current version; the version's columns are null when the project has no content yet. */
export interface ProjectWithContentRow extends ProjectRow {
  created_at: Date;
  only_vouched_apps: boolean;
  version: number | null;
  study_snapshot_id: string | null;
  /** JSON. */
  content: string | null;
  /** JSON: [{type, content}]; null: it asks for none. */
  consent_types: string | null;
}

const selectProjectWithContent = sql`
  select p.project_id, p.organization_id, p.name, p.created_at, p.only_vouched_apps, v.version, v.study_snapshot_id, v.content, v.consent_types
  from project p
  left join lateral (
    select version, study_snapshot_id, content, consent_types from project_version w
    where w.project_id = p.project_id order by version desc limit 1) v on true`;

export const findProjectWithContent = (projectId: ProjectId) => sql<ProjectWithContentRow>`
  ${selectProjectWithContent} where p.project_id = ${projectId}`;

/** A condition on a row `p` of `project`. */
const isInReach = (reach: OrganizationReach): Sql => sql`
  p.organization_id = ${reach.organizationId} and ${isWithinProjects(reach, raw('p.project_id'))}`;

export const findProjects = (
  reach: OrganizationReach,
  { limit, offset }: PageQuery,
) => sql<ProjectWithContentRow>`
  ${selectProjectWithContent} where ${isInReach(reach)}
  order by p.created_at, p.project_id limit ${limit} offset ${offset}`;

/** The names of the projects that a caller may see. */
export const findProjectNames = (reach: OrganizationReach) => sql<{ project_id: ProjectId; name: string }>`
  select p.project_id, p.name from project p where ${isInReach(reach)}`;

export const countProjects = (reach: OrganizationReach) => sql<{ total: number }>`
  select count(*) as total from project p where ${isInReach(reach)}`;

/** Selects those of the given projects that belong to the organization. */
export const findOwnProjects = (organizationId: OrganizationId, projectIds: readonly ProjectId[]) => sql<{
  project_id: ProjectId;
}>`
  select project_id from project where organization_id = ${organizationId} and project_id = any(${projectIds}::uuid[])`;

/** Returns the oldest of these projects of the organization; of all its projects when `projectIds` is null. */
export const findOldestProject = (
  organizationId: OrganizationId,
  projectIds: readonly ProjectId[] | null,
) => sql<{
  project_id: ProjectId;
}>`
  select project_id from project
  where organization_id = ${organizationId}
    and (${projectIds}::uuid[] is null or project_id = any(${projectIds}::uuid[]))
  order by created_at, project_id limit 1`;

/**
 * Locks a project so that of two changes at once the second sees the first; inserts that refer to the project do not
 * wait.
 */
export const lockProject = (projectId: ProjectId) => sql`
  select from project where project_id = ${projectId} for no key update`;

export const renameProject = (projectId: ProjectId, name: string) => sql`
  update project set name = ${name} where project_id = ${projectId}`;

export const setOnlyVouchedApps = (projectId: ProjectId, onlyVouchedApps: boolean) => sql`
  update project set only_vouched_apps = ${onlyVouchedApps} where project_id = ${projectId}`;

export interface VersionRow {
  version: number;
  study_snapshot_id: string;
  created_at: Date;
  /** JSON. */
  content: string | null;
  consent_types: string | null;
}

export const insertVersion = (projectId: ProjectId, row: VersionRow) => sql`
  insert into project_version (project_id, version, study_snapshot_id, content, consent_types, created_at)
  values (${projectId}, ${row.version}, ${row.study_snapshot_id}, ${row.content}, ${row.consent_types}, ${row.created_at})`;

export const findVersions = (projectId: ProjectId, { limit, offset }: PageQuery) => sql<VersionRow>`
  select version, study_snapshot_id, created_at, content, consent_types from project_version
  where project_id = ${projectId} order by version desc limit ${limit} offset ${offset}`;

export const countVersions = (projectId: ProjectId) => sql<{ total: number }>`
  select count(*) as total from project_version where project_id = ${projectId}`;

/** Selects those of the given projects that ask the invited for a consent by themselves, now. */
export const findAskingProjects = (projectIds: readonly ProjectId[]) => sql<{ project_id: ProjectId }>`
  select p.project_id from (${selectProjectWithContent} where p.project_id = any(${projectIds}::uuid[])) p
  where json_array_length(p.consent_types) > 0`;

/** A row when some project of the organization has its words for patients. */
export const hasWords = (organizationId: OrganizationId) => sql<{ project_id: ProjectId }>`
  select p.project_id from project p
  where p.organization_id = ${organizationId}
    and exists (select from project_version v where v.project_id = p.project_id and v.content is not null)
  limit 1`;
