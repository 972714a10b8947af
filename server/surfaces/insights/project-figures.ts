import type { z } from 'zod';
import type { OrganizationReach } from '../../../contract/audience.ts';
import type { ProjectId } from '../../../contract/brands.ts';
import type {
  getProjectFigures as contract,
  ProjectFigures,
} from '../../../contract/organization/project-figures.ts';
import { countSourcesByProject } from '../../clinical/sources/sources.sql.ts';
import { countByVersion } from '../../consent/records/project-figures.sql.ts';
import { findProjectNames } from '../../identity/organizations/projects.sql.ts';
import { countEnrolled } from '../../identity/patients/patient-list.sql.ts';
import type { Db } from '../../platform/db/db.ts';
import type { Clock } from '../../platform/kernel/clock.ts';

/** How many of something cover a project; null: every project. */
export interface ProjectCover {
  project_id: ProjectId | null;
  count: number;
}

export interface ProjectFiguresDeps {
  db: Db;
  clock: Clock;
  countWebhooks(reach: OrganizationReach): Promise<ProjectCover[]>;
}

/** Returns how much rests on each project: one statement for each kind of thing, however many projects there are. */
export async function getProjectFigures(
  { db, clock, countWebhooks }: ProjectFiguresDeps,
  caller: OrganizationReach,
  { projectId }: z.infer<(typeof contract)['query']>,
): Promise<z.input<(typeof contract)['response']>> {
  const reach = projectId === undefined ? caller : narrowReach(caller, projectId);
  const [projects, patients, consents, sources, webhooks] = await Promise.all([
    db.query(findProjectNames(reach)),
    db.query(countEnrolled(reach)),
    db.query(countByVersion(reach, clock.now())),
    db.query(countSourcesByProject(reach)),
    countWebhooks(reach),
  ]);
  const results = projects.map(({ project_id: id }): ProjectFigures => {
    const versions = consents.filter((row) => row.project_id === id);
    return {
      projectId: id,
      patients: patients.find((row) => row.project_id === id)?.patients ?? 0,
      consentsInForce: versions.reduce((total, row) => total + row.consents, 0),
      consentsByVersion: versions.map(({ version, consents: count }) => ({ version, consents: count })),
      sources: countCover(sources, id),
      webhooks: countCover(webhooks, id),
    };
  });
  return { results };
}

/** One project, as far as the caller may see it. */
const narrowReach = (
  { organizationId, projectIds }: OrganizationReach,
  projectId: ProjectId,
): OrganizationReach => ({
  organizationId,
  projectIds: projectIds === null || projectIds.includes(projectId) ? [projectId] : [],
});

const countCover = (rows: readonly ProjectCover[], id: ProjectId): number =>
  rows.reduce(
    (total, row) => (row.project_id === null || row.project_id === id ? total + row.count : total),
    0,
  );
