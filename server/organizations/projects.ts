import type { Caller } from '../../contract/audience.ts';
import type { ProjectId } from '../../contract/ids.ts';
import { forbidden, notFound } from '../kernel/refusal.ts';
import { maybeOne, type Queryable } from '../storage/db.ts';
import { projectById, type ProjectRow } from './projects.sql.ts';

/** The project of a path, for a caller of its organization; 404 when there is none, 403 when it is another's. */
export async function ownProject(on: Queryable, caller: Caller, projectId: ProjectId): Promise<ProjectRow> {
  const project = await maybeOne(on, projectById(projectId));
  if (!project) throw notFound('The project');
  if (project.organization_id !== caller.organizationId)
    throw forbidden('The project belongs to another organization.');
  return project;
}
