import { formatLastDay, formatDateTime } from '../../../kit/format-date.ts';
import { useLanguage } from '../words/use-words.ts';
import { getExpiry } from './duration.ts';
import type { ReviewProps } from './review-props.ts';
import { formatLaterEnd } from './shared-until.ts';

/** The chosen end of the consent, in words, and that of what is shared already, where it goes on for the organization. */
export function ConsentExpiry({
  interaction,
  choices,
  now,
}: Pick<ReviewProps, 'interaction' | 'choices' | 'now'>) {
  const { words, language } = useLanguage();
  const { howLong } = words.review;
  const expiresAt = getExpiry(choices, now);
  if (expiresAt === null) return howLong.endsUnknown;
  const time = expiresAt.toISOString();
  const ends =
    choices.duration === 'once'
      ? howLong.endsOnce(formatDateTime(time, language))
      : howLong.ends(formatLastDay(time, language));
  const later = formatLaterEnd(interaction, { choices, now }, language);
  return later === null ? ends : `${ends} ${howLong.goesOn(interaction.organization.name, later)}`;
}
