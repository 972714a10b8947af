import type { OrganizationReach } from '../../../contract/audience.ts';
import type { ProjectId } from '../../../contract/brands.ts';
import { raw, sql, type Sql } from '../../platform/db/sql.ts';

type ProjectLimit = Pick<OrganizationReach, 'projectIds'>;

/** A condition: the project (SQL) is one of those that the caller is limited to; a literal for none of them, so that nothing is read. */
export function isWithinProjects({ projectIds }: ProjectLimit, projectId: Sql): Sql {
  if (projectIds === null) return raw('true');
  return projectIds.length === 0 ? raw('false') : sql`${projectId} = any(${projectIds}::uuid[])`;
}

/** Returns the projects that a list is of when it is asked for one (undefined: for none), null for all. */
export function narrowToProject(
  { projectIds }: ProjectLimit,
  projectId: ProjectId | undefined,
): readonly ProjectId[] | null {
  if (projectId === undefined) return projectIds;
  return (projectIds ?? [projectId]).filter((id) => id === projectId);
}

/** A condition: of the projects (SQL, an array; null: all) at least one is one of those that the caller is limited to. */
export const overlapsProjects = ({ projectIds }: ProjectLimit, projects: Sql): Sql =>
  projectIds === null ? raw('true') : sql`(${projects} is null or ${projects} && ${projectIds}::uuid[])`;
