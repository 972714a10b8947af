import type { OrganizationReach } from '../../../contract/audience.ts';
import { raw, sql, type Sql } from '../../platform/db/sql.ts';

type ProjectLimit = Pick<OrganizationReach, 'projectIds'>;

/** A condition: the project (SQL) is one of those that the caller is limited to. */
export const isWithinProjects = ({ projectIds }: ProjectLimit, projectId: Sql): Sql =>
  projectIds === null ? raw('true') : sql`${projectId} = any(${projectIds}::uuid[])`;

/** A condition: of the projects (SQL, an array; null: all) at least one is one of those that the caller is limited to. */
export const overlapsProjects = ({ projectIds }: ProjectLimit, projects: Sql): Sql =>
  projectIds === null ? raw('true') : sql`(${projects} is null or ${projects} && ${projectIds}::uuid[])`;
