import type { z } from 'zod';
import type { OrganizationCaller } from '../../../contract/audience.ts';
import type { listConsentPageVersions as endpoint } from '../../../contract/organization/organization-consents.ts';
import type { Db } from '../../platform/db/db.ts';
import { API_TERMS } from '../decisions/decide.ts';
import { selectPageVersions } from './page-versions.sql.ts';

type Query = z.infer<(typeof endpoint)['query']>;
type Answer = z.input<(typeof endpoint)['response']>;

/** Lists the versions of the consent page that the caller may see decisions of. It names no patient, so it is no look at one. */
export async function listConsentPageVersions(
  db: Db,
  caller: OrganizationCaller,
  query: Query,
): Promise<Answer> {
  const rows = await db.query(selectPageVersions({ reach: caller, noPage: API_TERMS.uiHash, ...query }));
  return {
    results: rows.map((row) => ({
      uiHash: row.ui_hash,
      firstUsedAt: row.first_used_at.toISOString(),
      lastUsedAt: row.last_used_at.toISOString(),
      exampleId: row.example_id,
      consentUIFlow: row.consent_ui_flow,
    })),
  };
}
