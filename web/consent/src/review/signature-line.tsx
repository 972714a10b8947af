import { formatFullName, formatPersonName } from '../../../../contract/account/person-name.ts';
import { formatDay } from '../../../kit/format-date.ts';
import { useLanguage } from '../words/use-words.ts';
import type { ReviewProps } from './review-props.ts';

/** States who signs, for whom and when. */
export function SignatureLine({ person, choices, now }: Pick<ReviewProps, 'person' | 'choices' | 'now'>) {
  const { words, language } = useLanguage();
  const { decision } = words.review;
  const date = formatDay(now.toISOString(), language);
  const representative = choices.hasRepresentative ? formatPersonName(choices.representative.name) : '';
  return representative === ''
    ? decision.signing(formatFullName(person), person.email, date)
    : decision.signingFor(representative, formatFullName(person), date);
}
