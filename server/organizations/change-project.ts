import { isDeepStrictEqual } from 'node:util';
import type { OrganizationCaller } from '../../contract/audience.ts';
import type { ProjectId } from '../../contract/ids.ts';
import type { ProjectContent } from '../../contract/projects.ts';
import { actorOf, type Audit } from '../audit/append.ts';
import type { Clock } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';
import { one, type Db } from '../storage/db.ts';
import * as statements from './projects.sql.ts';
import { writeVersion } from './write-version.ts';

export interface ChangeDeps {
  db: Db;
  clock: Clock;
  audit: Audit;
}

interface Words {
  name?: string | undefined;
  content?: ProjectContent | undefined;
}

/** Another project of the caller's organization. */
export function createProject(
  { db, clock, audit }: ChangeDeps,
  caller: OrganizationCaller,
  { name, content }: Words & { name: string },
): Promise<statements.ToldProjectRow> {
  const projectId = newId<ProjectId>();
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
      actor: actorOf(caller),
      projectId,
      detail,
    });
    return one(tx, statements.toldProject(projectId));
  });
}

/** A new name, and a new version where patients are told something else; what changes nothing leaves no trace. */
export function updateProject(
  { db, clock, audit }: ChangeDeps,
  { caller, projectId }: { caller: OrganizationCaller; projectId: ProjectId },
  { name, content }: Words,
): Promise<statements.ToldProjectRow> {
  return db.tx(async (tx) => {
    await tx.query(statements.lockProject(projectId));
    const before = await one(tx, statements.toldProject(projectId));
    const renamed = name !== undefined && name !== before.name;
    const told = content !== undefined && !isTold(before, content);
    if (!renamed && !told) return before;
    if (renamed) await tx.query(statements.renameProject(projectId, name));
    const version = (before.version ?? 0) + 1;
    if (told) await writeVersion(tx, { projectId, version, content, now: clock.now() });
    await audit.write(tx, {
      organizationId: before.organization_id,
      action: 'project.updated',
      actor: actorOf(caller),
      projectId,
      detail: { renamed, version: told ? version : before.version },
    });
    return one(tx, statements.toldProject(projectId));
  });
}

const isTold = ({ content: stored }: statements.ToldProjectRow, content: ProjectContent): boolean =>
  stored !== null && isDeepStrictEqual(JSON.parse(stored), JSON.parse(JSON.stringify(content)));
