import type { ConsentPageVersion } from '../../../../contract/organization/organization-consents.ts';
import { useConsole } from '../api/use-console.ts';
import { useLanguage } from '../words/use-words.ts';

export const PAGE_VERSIONS_TARGET = 'GET /v1/organizations/{orgId}/consent-page-versions';

/** Enough of a hash to distinguish versions. */
export const shortenHash = (uiHash: string): string => uiHash.slice(0, 12);

type Use = Pick<ConsentPageVersion, 'firstUsedAt' | 'lastUsedAt'>;

/** Returns what says from when to when a version of the page was in use, by the organization's days. */
export function usePageVersions(): { formatUse(version: Use): string } {
  const { language } = useLanguage();
  const { organization } = useConsole();
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: organization.timeZone });
  return {
    formatUse: ({ firstUsedAt, lastUsedAt }) =>
      format.formatRange(new Date(firstUsedAt), new Date(lastUsedAt)),
  };
}
