import { createHash } from 'node:crypto';
import type { ProjectId } from '../../../contract/brands.ts';

interface ProjectText {
  /** The newest version of the project's content; null where it has none. */
  study_snapshot_id: string | null;
  project_name: string;
  project_purpose: string | null;
}

/** Returns the id of the project's current content: its newest version or, without versions, a hash of its name and purpose. */
export const resolveSnapshotId = (projectId: ProjectId, project: ProjectText): string =>
  project.study_snapshot_id ?? hashSnapshot(projectId, [project.project_name, project.project_purpose]);

/** Two consents to one project with the same content have the same snapshot. */
const hashSnapshot = (projectId: ProjectId, content: readonly (string | null)[]): string =>
  createHash('sha256')
    .update(JSON.stringify([projectId, ...content]))
    .digest('hex')
    .slice(0, 32);
