import { formatLastDay, formatDateTime } from '../../../kit/format-date.ts';
import { useLanguage } from '../words/use-words.ts';
import type { Choices } from './choices.ts';
import { getExpiry } from './duration.ts';

/** The chosen end of the consent, in words. */
export function ConsentExpiry({ choices, now }: { choices: Choices; now: Date }) {
  const { words, language } = useLanguage();
  const { howLong } = words.review;
  const expiresAt = getExpiry(choices, now);
  if (expiresAt === null) return howLong.endsUnknown;
  const time = expiresAt.toISOString();
  return choices.duration === 'once'
    ? howLong.endsOnce(formatDateTime(time, language))
    : howLong.ends(formatLastDay(time, language));
}
