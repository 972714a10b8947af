import { formatWhenEnds, formatLastDay, formatTime } from '../../../kit/format-date.ts';
import type { Language } from '../../../kit/languages.ts';
import { getExpiry, type ChosenTerm } from './duration.ts';
import type { Words } from '../words/en.ts';

/** Of what a review is about: who asks, and what is shared already. */
interface Subject {
  /** null: the organization itself asks. */
  client: object | null;
  organization: { name: string };
  previous: { inForce: boolean; decidedAt: string; expiresAt: string } | null;
}

/** When what is shared now ends, in words; null where nothing is. */
export function formatSharedUntil(
  { previous }: Pick<Subject, 'previous'>,
  language: Language,
): string | null {
  if (previous?.inForce !== true) return null;
  return formatWhenEnds({ end: previous.expiresAt, since: previous.decidedAt }, language);
}

/**
 * Until when the organization goes on to read, where the app that asks is given a sooner end than what is shared has; null
 * where one end is that of both.
 */
export function formatLaterEnd(
  subject: Omit<Subject, 'organization'>,
  { choices, now }: { choices: ChosenTerm; now: Date },
  language: Language,
): string | null {
  const { previous, client } = subject;
  const end = getExpiry(choices, now);
  const isSooner = end !== null && previous !== null && end < new Date(previous.expiresAt);
  return client !== null && isSooner ? formatSharedUntil(subject, language) : null;
}

/** Says for how long who gets it, in short: "For one hour, until 3:08 PM"; nothing before a day is chosen. */
export function formatTerm(
  subject: Subject,
  chosen: { choices: ChosenTerm; now: Date },
  { words, language }: { words: Words; language: Language },
): string {
  const { decision } = words.review;
  const end = getExpiry(chosen.choices, chosen.now)?.toISOString();
  if (end === undefined) return '';
  const term =
    chosen.choices.duration === 'once'
      ? decision.onceUntil(formatTime(end, language))
      : formatTermEnd(subject, chosen.choices, { end, language });
  const later = formatLaterEnd(subject, chosen, language);
  return later === null ? term : decision.forAppOnly(term, subject.organization.name, later);
}

/** What is shared now may have less than an hour left. */
const formatTermEnd = (
  subject: Pick<Subject, 'previous'>,
  { duration }: ChosenTerm,
  { end, language }: { end: string; language: Language },
): string =>
  (duration === 'as-now' ? formatSharedUntil(subject, language) : null) ?? formatLastDay(end, language);
