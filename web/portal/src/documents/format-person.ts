import { formatPersonName } from '../../../../contract/account/person-name.ts';
import type { Language } from '../../../kit/languages.ts';
import type { Batch } from '../api.ts';
import type { Words } from '../words/en.ts';

type ShownPerson = NonNullable<Batch['question']>['account'];

const PRECISIONS = {
  4: { year: 'numeric' },
  7: { year: 'numeric', month: 'long' },
  10: { year: 'numeric', month: 'long', day: 'numeric' },
} as const;

/** "March 2, 1956", "March 1956" or "1956", as precisely as it is known; what is no date as it was written. */
export function formatBirthDate(date: string, language: Language): string {
  const precision = PRECISIONS[date.length as keyof typeof PRECISIONS] as
    | Intl.DateTimeFormatOptions
    | undefined;
  const time = Date.parse(date);
  if (precision === undefined || Number.isNaN(time)) return date;
  return new Intl.DateTimeFormat(language, { ...precision, timeZone: 'UTC' }).format(time);
}

/** Names somebody by all that is known of them; a name keeps the direction of its own letters. */
export function formatPerson(
  { name, birthDate, sex }: ShownPerson,
  { question }: Words['myData']['documents'],
  language: Language,
): string {
  return [
    name === null ? question.unnamed : formatPersonName(name),
    ...(birthDate === null ? [] : [question.born(formatBirthDate(birthDate, language))]),
    ...(sex === null ? [] : [question.sexes[sex]]),
  ].join(', ');
}
