import type { ClientGrant } from '../../../contract/data-categories.ts';
import { toScopesDto } from '../access/sensitivity-labels.ts';
import type { GrantTerms } from './consent.sql.ts';

/** Formats what an app gets of a consent, for records, receipts, the log and the pages. */
export const toGrantDto = ({ scopes, expiresAt }: GrantTerms): ClientGrant => ({
  ...toScopesDto(scopes),
  expirationTimestamp: expiresAt.toISOString(),
});
