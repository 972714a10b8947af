import type { PreviousConsent } from '../../../contract/interaction.ts';
import type { ProjectContent } from '../../../contract/projects.ts';
import { dataScopes, scopesOnWire } from '../../consent/data-classes.ts';
import { maybeOne, type Db } from '../../storage/db.ts';
import { previousConsent } from './previous-consent.sql.ts';

interface Deps {
  db: Db;
  /** The hash of the page as it is now. */
  uiHash: string;
}

type Which = Omit<Parameters<typeof previousConsent>[0], 'uiHash'> & {
  /** The version of the project that is told now. */
  studySnapshotId: string;
};

/** What the person said yes to before; null: never. */
export async function previousConsentOf(
  { db, uiHash }: Deps,
  { studySnapshotId, ...which }: Which,
): Promise<PreviousConsent | null> {
  const row = await maybeOne(db, previousConsent({ ...which, uiHash }));
  if (!row) return null;
  const sameContent = row.study_snapshot_id === studySnapshotId;
  return {
    ...scopesOnWire(dataScopes(row.resource_scopes, row.sensitivity_scopes)),
    decidedAt: row.decided_at.toISOString(),
    inForce: row.in_force,
    expiresAt: row.expires_at.toISOString(),
    sameContent,
    content: sameContent || row.content === null ? null : (JSON.parse(row.content) as ProjectContent),
    samePage: row.same_page,
    clients: JSON.parse(row.clients) as (string | null)[],
  };
}
