import type { z } from 'zod';
import * as contract from '../../contract/projects.ts';
import { serve, type Routes } from '../http/serve.ts';
import { one } from '../storage/db.ts';
import { createProject, updateProject, type ChangeDeps } from './change-project.ts';
import { ownProject } from './projects.ts';
import * as statements from './projects.sql.ts';

/** The organization's projects, and the versions of what their patients are told. */
export function projectRoutes(routes: Routes, deps: ChangeDeps): void {
  const { db } = deps;
  serve(routes, contract.listProjects, async ({ params, query }) => {
    const { total } = await one(db, statements.countProjects(params.orgId));
    const rows = await db.query(statements.projectsOf(params.orgId, query));
    return { total, results: rows.map(onWire) };
  });
  serve(routes, contract.createProject, async ({ caller, body }) =>
    onWire(await createProject(deps, caller, body)),
  );
  serve(routes, contract.getProject, async ({ params: { projectId }, caller }) => {
    await ownProject(db, caller, projectId);
    return onWire(await one(db, statements.toldProject(projectId)));
  });
  serve(routes, contract.updateProject, async ({ params: { projectId }, caller, body }) => {
    await ownProject(db, caller, projectId);
    return onWire(await updateProject(deps, { caller, projectId }, body));
  });
  serve(routes, contract.listProjectVersions, async ({ params: { projectId }, query, caller }) => {
    await ownProject(db, caller, projectId);
    const { total } = await one(db, statements.countVersions(projectId));
    const rows = await db.query(statements.versionsOf(projectId, query));
    return {
      total,
      results: rows.map((row) => ({
        version: row.version,
        studySnapshotId: row.study_snapshot_id,
        createdAt: row.created_at.toISOString(),
        content: contentIn(row.content),
      })),
    };
  });
}

const onWire = (row: statements.ToldProjectRow): z.infer<typeof contract.Project> => ({
  id: row.project_id,
  organizationId: row.organization_id,
  name: row.name,
  createdAt: row.created_at.toISOString(),
  version: row.version,
  studySnapshotId: row.study_snapshot_id,
  content: row.content === null ? null : contentIn(row.content),
});

const contentIn = (json: string): contract.ProjectContent => JSON.parse(json) as contract.ProjectContent;
