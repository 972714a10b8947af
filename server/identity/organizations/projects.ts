import type { Caller } from '../../../contract/audience.ts';
import type { OrganizationId, ProjectId } from '../../../contract/brands.ts';
import type { ProjectContent } from '../../../contract/organization/projects.ts';
import { generateId } from '../../platform/kernel/ids.ts';
import { forbidden, invalidInput, notFound } from '../../platform/kernel/refusal.ts';
import { maybeOne, type Queryable, type Tx } from '../../platform/db/db.ts';
import { findOwnProjects, findProject, insertVersion, type ProjectRow } from './projects.sql.ts';

/** The project of a path, for a caller of its organization; 404 when there is none, 403 when it is another's. */
export async function requireOwnProject(
  on: Queryable,
  caller: Caller,
  projectId: ProjectId,
): Promise<ProjectRow> {
  const project = await maybeOne(on, findProject(projectId));
  if (!project) throw notFound('The project');
  if (project.organization_id !== caller.organizationId)
    throw forbidden('The project belongs to another organization.');
  return project;
}

/** Projects that something is for, named at `path` of the input: 400 unless all are the organization's own. */
export async function requireOwnProjects(
  on: Queryable,
  organizationId: OrganizationId,
  { projectIds, path }: { projectIds: readonly ProjectId[]; path: string },
): Promise<void> {
  const rows = await on.query(findOwnProjects(organizationId, projectIds));
  const own = new Set(rows.map(({ project_id: projectId }) => projectId));
  const foreign = projectIds.findIndex((projectId) => !own.has(projectId));
  if (foreign !== -1)
    throw invalidInput([{ path: `${path}[${foreign}]`, message: 'is no project of the organization' }]);
}

interface NewVersion {
  projectId: ProjectId;
  version: number;
  content: ProjectContent;
  now: Date;
}

/** Writes what patients are shown from now on. A version never changes: the consents that are given to it name it. */
export async function writeVersion(tx: Tx, { projectId, version, content, now }: NewVersion): Promise<void> {
  await tx.query(
    insertVersion(projectId, {
      version,
      study_snapshot_id: generateId(),
      created_at: now,
      content: JSON.stringify(content),
    }),
  );
}
