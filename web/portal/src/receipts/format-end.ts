import { formatLastDay } from '../../../kit/format-date.ts';
import type { TextContext } from '../consents/consent-name.ts';

interface End {
  /** Of the consent. */
  expiry: string;
  /** What the app gets, where that is less; its own end is never later. */
  limits: { expiry: string } | undefined;
  appName: string | undefined;
  organization: string;
}

/** Says until when is shared: the end that was chosen for the app first, where what the organization has lasts longer. */
export function formatEnd(
  { expiry, limits, appName, organization }: End,
  { words, language }: TextContext,
): string {
  const day = formatLastDay(expiry, language);
  if (limits === undefined || appName === undefined || limits.expiry >= expiry) return day;
  const { untilFor } = words.myData.receipts.page;
  const own = untilFor(formatLastDay(limits.expiry, language), appName);
  return `${own}, ${untilFor(day, organization)}`;
}
