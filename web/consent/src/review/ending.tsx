import { lastDayOf, momentOf } from '../words/day.ts';
import { useLanguage } from '../words/language.tsx';
import type { Choices } from './choices.ts';
import { endOf } from './term.ts';

/** The end that is chosen, in words. */
export function Ending({ choices, now }: { choices: Choices; now: Date }) {
  const { words, language } = useLanguage();
  const { howLong } = words.review;
  const end = endOf(choices, now);
  if (end === null) return howLong.endsUnknown;
  const time = end.toISOString();
  return choices.term === 'once'
    ? howLong.endsOnce(momentOf(time, language))
    : howLong.ends(lastDayOf(time, language));
}
