import { dayOf } from '../words/day.ts';
import { useLanguage } from '../words/language.tsx';
import type { About } from './about.ts';
import { nameOf } from './names.ts';

/** Who signs, for whom and when. */
export function Signed({ person, choices, now }: Pick<About, 'person' | 'choices' | 'now'>) {
  const { words, language } = useLanguage();
  const { decision } = words.review;
  const date = dayOf(now.toISOString(), language);
  const representative = choices.represented ? choices.representative.name.trim() : '';
  return representative === ''
    ? decision.signing(nameOf(person), person.email, date)
    : decision.signingFor(representative, nameOf(person), date);
}
