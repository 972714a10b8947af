import { useState } from 'react';
import type { Fault } from '../../../look/form.tsx';
import type { Decision, Interaction } from '../api/api.ts';
import { ALL_CATEGORIES, type Category, type PrivateClass } from '../data/groups.ts';
import type { Language } from '../words/spoken.ts';
import { dayIn } from '../words/day.ts';
import type { Words } from '../words/en.ts';
import { daysToChoose, midnightAfter, type Term } from './term.ts';

export type Authority = NonNullable<Decision['representative']>['authority'];

/** What a person may choose on the review before they say yes. */
export interface Choices {
  categories: ReadonlySet<Category>;
  privately: ReadonlySet<PrivateClass>;
  term: Term;
  /** The last day of the term `until`, as 2026-11-20; '' while there is none. */
  day: string;
  /** Somebody signs for the patient. */
  represented: boolean;
  representative: { name: string; authority: Authority | null };
}

/**
 * What stands there at first: what is asked for, but no more than is shared now; nothing very private, whatever was
 * shared before. A consent has to end, so a term is chosen too: the shortest that does what is asked.
 */
export function firstChoices({ previous, offlineAccess }: Interaction): Choices {
  const now = previous?.inForce === true ? previous : null;
  // An hour would stop other apps that read under the same consent.
  const lasting = offlineAccess || (now !== null && now.clients.length > 0);
  return {
    categories: new Set(now?.consentDataResourceScopes ?? ALL_CATEGORIES),
    privately: new Set(),
    term: lasting ? '90-days' : 'once',
    day: '',
    represented: false,
    representative: { name: '', authority: null },
  };
}

/** Kept above the review and apart for each person, so that neither a way back nor another language loses them. */
export function useChoices() {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Partial<Choices>>>(new Map());
  return {
    choicesOf: (email: string, interaction: Interaction): Choices => ({
      ...firstChoices(interaction),
      ...chosen.get(email),
    }),
    choose: (email: string, some: Partial<Choices>) =>
      setChosen((chosen) => new Map(chosen).set(email, { ...chosen.get(email), ...some })),
  };
}

/** Where the error summary leads. */
export const FIELDS = {
  categories: 'share-you',
  day: 'last-day',
  name: 'representative-name',
  authority: 'representative-authority',
} as const;

/** What is missing before a yes can be taken. */
export function faultsIn(
  { categories, term, day, represented, representative }: Choices,
  { review: { faults } }: Words,
  { now, language }: { now: Date; language: Language },
): Fault[] {
  const { first, last } = daysToChoose(now);
  const fault = (wrong: boolean, field: string, text: string): Fault[] => (wrong ? [{ field, text }] : []);
  const range = faults.dayWrong(dayIn(first, language), dayIn(last, language));
  return [
    ...fault(categories.size === 0, FIELDS.categories, faults.categories),
    ...fault(term === 'until' && day === '', FIELDS.day, faults.dayMissing),
    ...fault(term === 'until' && day !== '' && (day < first || day > last), FIELDS.day, range),
    ...fault(represented && representative.name.trim() === '', FIELDS.name, faults.nameMissing),
    ...fault(represented && representative.authority === null, FIELDS.authority, faults.authorityMissing),
  ];
}

/** As the service takes them; null is everything but the very private. */
export function given(
  choices: Choices,
): Pick<
  Decision,
  'consentDataResourceScopes' | 'consentDataSensitivityScopes' | 'duration' | 'representative'
> {
  const { categories, privately, term, day, represented, representative } = choices;
  const { name, authority } = representative;
  return {
    consentDataResourceScopes: categories.size === ALL_CATEGORIES.length ? null : [...categories],
    consentDataSensitivityScopes: privately.size === 0 ? null : ['NORMAL', ...privately],
    duration: term === 'until' ? { until: midnightAfter(day).toISOString() } : term,
    representative: represented && authority !== null ? { name: name.trim(), authority } : null,
  };
}
