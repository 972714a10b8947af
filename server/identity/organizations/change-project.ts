import { isDeepStrictEqual } from 'node:util';
import type { OrganizationCaller } from '../../../contract/audience.ts';
import type { ProjectId } from '../../../contract/brands.ts';
import type { ProjectConsentType, ProjectContent } from '../../../contract/organization/projects.ts';
import { toActor, type Audit } from '../../platform/audit/append.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { generateId } from '../../platform/kernel/ids.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import { one, type Db, type Tx } from '../../platform/db/db.ts';
import * as statements from './projects.sql.ts';
import { writeVersion } from './projects.ts';
import { parseVersion, type VersionContent } from './version-content.ts';

export interface ProjectDeps {
  db: Db;
  clock: Clock;
  audit: Audit;
  /** Called in the transaction that changes what patients read, or are asked for. */
  onNewVersion: NewVersionHook;
}

export type NewVersionHook = (tx: Tx, projectId: ProjectId) => Promise<void>;

interface ProjectContentChange {
  name?: string | undefined;
  content?: ProjectContent | undefined;
  consentTypes?: ProjectConsentType[] | undefined;
  onlyVouchedApps?: boolean | undefined;
}

interface ProjectChange extends ProjectContentChange {
  basedOnVersion?: number | null | undefined;
}

/** Creates a project in the caller's organization, with its first version when there is something to show to patients. */
export function createProject(
  { db, clock, audit }: ProjectDeps,
  caller: OrganizationCaller,
  { name, content, consentTypes = [] }: ProjectContentChange & { name: string },
): Promise<statements.ProjectWithContentRow> {
  const projectId = generateId<ProjectId>();
  const { organizationId } = caller;
  const now = clock.now();
  return db.tx(async (tx) => {
    const row = { project_id: projectId, organization_id: organizationId, name, purpose: null, now };
    await tx.query(statements.insertProject(row));
    const hasVersion = content !== undefined || consentTypes.length > 0;
    if (hasVersion)
      await writeVersion(tx, { projectId, version: 1, content: content ?? null, consentTypes, now });
    const detail = { version: hasVersion ? 1 : null };
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
 * Renames a project, and writes a new version when its words for patients, or the consents that it asks for, differ. A
 * request that changes nothing writes neither a version nor an audit entry. Throws `content_changed` for a change that was made
 * to another version than is in force: it would take out what a colleague has published meanwhile.
 */
export function updateProject(
  { db, clock, audit, onNewVersion }: ProjectDeps,
  { caller, projectId }: { caller: OrganizationCaller; projectId: ProjectId },
  { name, onlyVouchedApps, basedOnVersion, ...change }: ProjectChange,
): Promise<statements.ProjectWithContentRow> {
  return db.tx(async (tx) => {
    await tx.query(statements.lockProject(projectId));
    const before = await one(tx, statements.findProjectWithContent(projectId));
    const renamed = name !== undefined && name !== before.name;
    const shown = parseVersion(before);
    const content = change.content ?? shown.content;
    const consentTypes = change.consentTypes ?? shown.consentTypes;
    const isContentChanged = !isSame(shown, { content, consentTypes });
    const isSwitched = onlyVouchedApps !== undefined && onlyVouchedApps !== before.only_vouched_apps;
    if (!renamed && !isContentChanged && !isSwitched) return before;
    if (basedOnVersion !== undefined && basedOnVersion !== before.version) throw contentChanged();
    if (isSwitched) await tx.query(statements.setOnlyVouchedApps(projectId, onlyVouchedApps));
    if (renamed) await tx.query(statements.renameProject(projectId, name));
    const version = (before.version ?? 0) + 1;
    if (isContentChanged) {
      await writeVersion(tx, { projectId, version, content, consentTypes, now: clock.now() });
      await onNewVersion(tx, projectId);
    }
    await audit.write(tx, {
      organizationId: before.organization_id,
      action: 'project.updated',
      actor: toActor(caller),
      projectId,
      detail: {
        renamed,
        version: isContentChanged ? version : before.version,
        ...(isSwitched && { onlyVouchedApps }),
      },
    });
    return one(tx, statements.findProjectWithContent(projectId));
  });
}

const contentChanged = (): Refusal =>
  new Refusal(409, 'content_changed', {
    detail: 'Another version of the project is in force than the change was made to. Nothing was changed.',
  });

/** Compares as JSON, in which absent and undefined languages are the same. */
const isSame = (one: VersionContent, other: VersionContent): boolean =>
  isDeepStrictEqual(JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other)));
