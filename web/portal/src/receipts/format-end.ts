import { formatWhenEnds, lastsOneHour } from '../../../kit/format-date.ts';
import type { TextContext } from '../consents/consent-name.ts';

interface End {
  /** Of the consent. */
  expiry: string;
  /** When it was decided. */
  since: string;
  /** What the app gets, where that is less; its own end is never later. */
  limits: { expiry: string } | undefined;
  appName: string | undefined;
  organization: string;
}

/** Says until when is shared: the end that was chosen for the app first, where what the organization has lasts longer. */
export function formatEnd(
  { expiry, since, limits, appName, organization }: End,
  { words, language }: TextContext,
): string {
  const { untilFor, oneHour } = words.myData.receipts.page;
  const format = (end: string): string => {
    const text = formatWhenEnds({ end, since }, language);
    return lastsOneHour({ end, since }) ? oneHour(text) : text;
  };
  const day = format(expiry);
  if (limits === undefined || appName === undefined || limits.expiry >= expiry) return day;
  const own = untilFor(format(limits.expiry), appName);
  return `${own}, ${untilFor(day, organization)}`;
}
