import { formatDay } from '../../../kit/format-date.ts';
import { useLanguage } from '../words/use-words.ts';
import type { ReviewProps } from './review-props.ts';
import { formatName } from './names.ts';

/** States who signs, for whom and when. */
export function SignatureLine({ person, choices, now }: Pick<ReviewProps, 'person' | 'choices' | 'now'>) {
  const { words, language } = useLanguage();
  const { decision } = words.review;
  const date = formatDay(now.toISOString(), language);
  const representative = choices.hasRepresentative ? choices.representative.name.trim() : '';
  return representative === ''
    ? decision.signing(formatName(person), person.email, date)
    : decision.signingFor(representative, formatName(person), date);
}
