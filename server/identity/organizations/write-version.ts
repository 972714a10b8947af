import type { ProjectId } from '../../../contract/brands.ts';
import type { ProjectContent } from '../../../contract/organization/projects.ts';
import { generateId } from '../../platform/kernel/ids.ts';
import type { Tx } from '../../platform/db/db.ts';
import { insertVersion } from './projects.sql.ts';

interface NewVersion {
  projectId: ProjectId;
  version: number;
  content: ProjectContent;
  now: Date;
}

/** What patients are told from now on. Never changed: consents that are given to it name it. */
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
