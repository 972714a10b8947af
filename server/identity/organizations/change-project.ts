import { isDeepStrictEqual } from 'node:util';
import type { OrganizationCaller } from '../../../contract/audience.ts';
import type { ProjectId } from '../../../contract/brands.ts';
import type { ProjectContent } from '../../../contract/organization/projects.ts';
import { toActor, type Audit } from '../../platform/audit/append.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { generateId } from '../../platform/kernel/ids.ts';
import { one, type Db } from '../../platform/db/db.ts';
import * as statements from './projects.sql.ts';
import { writeVersion } from './projects.ts';

export interface ProjectDeps {
  db: Db;
  clock: Clock;
  audit: Audit;
}

interface ProjectChange {
  name?: string | undefined;
  content?: ProjectContent | undefined;
}

/** Creates a project in the caller's organization, with its first version when `content` is given. */
export function createProject(
  { db, clock, audit }: ProjectDeps,
  caller: OrganizationCaller,
  { name, content }: ProjectChange & { name: string },
): Promise<statements.ProjectWithContentRow> {
  const projectId = generateId<ProjectId>();
  const { organizationId } = caller;
  const now = clock.now();
  return db.tx(async (tx) => {
    const row = { project_id: projectId, organization_id: organizationId, name, purpose: null, now };
    await tx.query(statements.insertProject(row));
    if (content) await writeVersion(tx, { projectId, version: 1, content, now });
    const detail = { version: content ? 1 : null };
    await audit.write(tx, {
      organizationId,
      action: 'project.created',
      actor: toActor(caller),
      projectId,
      detail,
    });
    return one(tx, statements.findProjectWithContent(projectId));
  });
}

/**
 * Renames a project, and writes a new version when the content for its patients differs. A request that changes nothing
 * writes neither a version nor an audit entry.
 */
export function updateProject(
  { db, clock, audit }: ProjectDeps,
  { caller, projectId }: { caller: OrganizationCaller; projectId: ProjectId },
  { name, content }: ProjectChange,
): Promise<statements.ProjectWithContentRow> {
  return db.tx(async (tx) => {
    await tx.query(statements.lockProject(projectId));
    const before = await one(tx, statements.findProjectWithContent(projectId));
    const renamed = name !== undefined && name !== before.name;
    const isContentChanged = content !== undefined && !hasContent(before, content);
    if (!renamed && !isContentChanged) return before;
    if (renamed) await tx.query(statements.renameProject(projectId, name));
    const version = (before.version ?? 0) + 1;
    if (isContentChanged) await writeVersion(tx, { projectId, version, content, now: clock.now() });
    await audit.write(tx, {
      organizationId: before.organization_id,
      action: 'project.updated',
      actor: toActor(caller),
      projectId,
      detail: { renamed, version: isContentChanged ? version : before.version },
    });
    return one(tx, statements.findProjectWithContent(projectId));
  });
}

const hasContent = (
  { content: stored }: statements.ProjectWithContentRow,
  content: ProjectContent,
): boolean => stored !== null && isDeepStrictEqual(JSON.parse(stored), JSON.parse(JSON.stringify(content)));
