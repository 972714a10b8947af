import type { ClientGrant } from '../../../contract/data-categories.ts';
import { toScopesDto } from '../access/sensitivity-labels.ts';
import { parseParts } from './consent-parts.ts';
import type { GrantTerms } from './consent.sql.ts';

/** Formats what an app gets of a consent, for records, receipts, the log and the pages. */
export const toGrantDto = ({ scopes, expiresAt }: GrantTerms): ClientGrant => ({
  ...toScopesDto(scopes),
  expirationTimestamp: expiresAt.toISOString(),
});

/** Formats what of a consent ends when, of the JSON of its parts; null where all of it ends together. */
export const toPartsDto = (parts: string | null): ClientGrant[] | null =>
  parts === null ? null : parseParts(parts).map(toGrantDto);
