import { isDeepStrictEqual } from 'node:util';
import type { PreviousConsent } from '../../../contract/oauth/interaction.ts';
import type { ProjectContent } from '../../../contract/organization/projects.ts';
import { resolveConsentContent, type VersionJson } from '../../identity/organizations/version-content.ts';
import { excludeLabels, toScopesDto } from '../access/sensitivity-labels.ts';
import { getLastingPart, toStoredConsent } from '../decisions/consent-parts.ts';
import { maybeOne, type Db } from '../../platform/db/db.ts';
import { selectPreviousConsent } from './previous-consent.sql.ts';

interface Deps {
  db: Db;
  /** The hash of the current page. */
  uiHash: string;
}

type PreviousConsentQuery = Omit<Parameters<typeof selectPreviousConsent>[0], 'uiHash'> & {
  /** The current version of the project, and its content for a person who decides on this type of consent. */
  studySnapshotId: string;
  content: ProjectContent | null;
};

/** Finds the last consent of a person to a project, whether in force or not; null when there was none. */
export async function findPreviousConsent(
  { db, uiHash }: Deps,
  { studySnapshotId, content, ...query }: PreviousConsentQuery,
): Promise<PreviousConsent | null> {
  const row = await maybeOne(db, selectPreviousConsent({ ...query, uiHash }));
  if (!row) return null;
  const version = row.version === null ? null : (JSON.parse(row.version) as VersionJson);
  const contentThen = version && resolveConsentContent(version, query.consentType);
  // A version may differ in the words of other consents only.
  const sameContent =
    row.study_snapshot_id === studySnapshotId || (version !== null && isSameContent(contentThen, content));
  // What ends sooner is not offered anew as if it went on with the rest.
  const { grant_withheld: withheld } = row;
  const { scopes, expiresAt } = getLastingPart(toStoredConsent(row), row.latest_now, withheld ?? undefined);
  return {
    ...toScopesDto(scopes),
    consentRecordId: row.consent_record_id,
    decidedAt: row.decided_at.toISOString(),
    inForce: row.in_force,
    expiresAt: expiresAt.toISOString(),
    sameContent,
    content: sameContent ? null : contentThen,
    samePage: row.same_page,
    clients: JSON.parse(row.clients) as (string | null)[],
    grant: withheld === null ? null : toScopesDto(excludeLabels(scopes, withheld)),
  };
}

export const isSameContent = (one: ProjectContent | null, other: ProjectContent | null): boolean =>
  isDeepStrictEqual(one, other);
