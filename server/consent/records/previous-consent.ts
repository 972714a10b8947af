import type { PreviousConsent } from '../../../contract/oauth/interaction.ts';
import type { ProjectContent } from '../../../contract/organization/projects.ts';
import { toDataScopes, toScopesDto } from '../access/sensitivity-labels.ts';
import { maybeOne, type Db } from '../../platform/db/db.ts';
import { selectPreviousConsent } from './previous-consent.sql.ts';

interface Deps {
  db: Db;
  /** The hash of the current page. */
  uiHash: string;
}

type PreviousConsentQuery = Omit<Parameters<typeof selectPreviousConsent>[0], 'uiHash'> & {
  /** The current version of the project's content. */
  studySnapshotId: string;
};

/** Finds the last consent of a person to a project, whether in force or not; null when there was none. */
export async function findPreviousConsent(
  { db, uiHash }: Deps,
  { studySnapshotId, ...query }: PreviousConsentQuery,
): Promise<PreviousConsent | null> {
  const row = await maybeOne(db, selectPreviousConsent({ ...query, uiHash }));
  if (!row) return null;
  const sameContent = row.study_snapshot_id === studySnapshotId;
  return {
    ...toScopesDto(toDataScopes(row.resource_scopes, row.sensitivity_scopes)),
    decidedAt: row.decided_at.toISOString(),
    inForce: row.in_force,
    expiresAt: row.expires_at.toISOString(),
    sameContent,
    content: sameContent || row.content === null ? null : (JSON.parse(row.content) as ProjectContent),
    samePage: row.same_page,
    clients: JSON.parse(row.clients) as (string | null)[],
  };
}
