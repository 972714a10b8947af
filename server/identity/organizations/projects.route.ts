import type { z } from 'zod';
import * as contract from '../../../contract/organization/projects.ts';
import { serve, type Routes } from '../../platform/http/serve.ts';
import { one } from '../../platform/db/db.ts';
import { createProject, updateProject, type ProjectDeps } from './change-project.ts';
import { requireOwnProject } from './projects.ts';
import { parseVersion } from './version-content.ts';
import * as statements from './projects.sql.ts';

/** Registers the endpoints for an organization's projects and the versions of their content. */
export function registerProjectRoutes(routes: Routes, deps: ProjectDeps): void {
  const { db } = deps;
  serve(routes, contract.listProjects, async ({ caller, query }) => {
    const { total } = await one(db, statements.countProjects(caller));
    const rows = await db.query(statements.findProjects(caller, query));
    return { total, results: rows.map(toProjectDto) };
  });
  serve(routes, contract.createProject, async ({ caller, body }) =>
    toProjectDto(await createProject(deps, caller, body)),
  );
  serve(routes, contract.getProject, async ({ params: { projectId }, caller }) => {
    await requireOwnProject(db, caller, projectId);
    return toProjectDto(await one(db, statements.findProjectWithContent(projectId)));
  });
  serve(routes, contract.updateProject, async ({ params: { projectId }, caller, body }) => {
    await requireOwnProject(db, caller, projectId);
    return toProjectDto(await updateProject(deps, { caller, projectId }, body));
  });
  serve(routes, contract.listProjectVersions, async ({ params: { projectId }, query, caller }) => {
    await requireOwnProject(db, caller, projectId);
    const { total } = await one(db, statements.countVersions(projectId));
    const rows = await db.query(statements.findVersions(projectId, query));
    return {
      total,
      results: rows.map((row) => ({
        version: row.version,
        studySnapshotId: row.study_snapshot_id,
        createdAt: row.created_at.toISOString(),
        ...parseVersion(row),
      })),
    };
  });
}

const toProjectDto = (row: statements.ProjectWithContentRow): z.infer<typeof contract.Project> => ({
  id: row.project_id,
  organizationId: row.organization_id,
  name: row.name,
  createdAt: row.created_at.toISOString(),
  version: row.version,
  studySnapshotId: row.study_snapshot_id,
  onlyVouchedApps: row.only_vouched_apps,
  ...parseVersion(row),
});
