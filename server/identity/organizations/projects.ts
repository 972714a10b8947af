import type { Caller } from '../../../contract/audience.ts';
import type { OrganizationId, ProjectId } from '../../../contract/brands.ts';
import type { ProjectConsentType, ProjectContent } from '../../../contract/organization/projects.ts';
import { generateId } from '../../platform/kernel/ids.ts';
import { forbidden, invalidInput, type Refusal } from '../../platform/kernel/refusal.ts';
import { maybeOne, type Queryable, type Tx } from '../../platform/db/db.ts';
import { findOwnProjects, findProject, insertVersion, type ProjectRow } from './projects.sql.ts';

/**
 * Returns the project that a path names. Throws one refusal for another organization's and for none at all: nobody learns which
 * ids exist.
 */
export async function requireOwnProject(
  on: Queryable,
  caller: Caller,
  projectId: ProjectId,
): Promise<ProjectRow> {
  const project = await maybeOne(on, findProject(projectId));
  if (project?.organization_id !== caller.organizationId) throw createForeignProjectRefusal();
  return project;
}

export const createForeignProjectRefusal = (): Refusal =>
  forbidden('This project does not exist, or is not of your organization.', 'wrong_project');

/** Throws 400, naming the first offender at `path` of the input, unless all the projects belong to the organization. */
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
  content: ProjectContent | null;
  consentTypes: readonly ProjectConsentType[];
  now: Date;
}

/** Writes the content that patients are shown from now on. A version never changes, because consents refer to it. */
export async function writeVersion(tx: Tx, { projectId, version, now, ...shown }: NewVersion): Promise<void> {
  await tx.query(
    insertVersion(projectId, {
      version,
      study_snapshot_id: generateId(),
      created_at: now,
      content: shown.content && JSON.stringify(shown.content),
      consent_types: JSON.stringify(shown.consentTypes),
    }),
  );
}
