import { toPlainPersonName } from '../../../../contract/account/person-name.ts';
import type { FormError } from '../../../kit/form.tsx';
import type { Decision } from '../api.ts';
import type { ReviewSubject } from './review-subject.ts';
import {
  ALL_CATEGORIES,
  SENSITIVITIES,
  type Category,
  type Sensitivity,
} from '../../../patient/data/groups.ts';
import type { Language } from '../../../kit/languages.ts';
import { formatCalendarDay } from '../../../kit/format-date.ts';
import type { Words } from '../words/en.ts';
import { getPresetDuration, getSelectableDays, toEndOfDay, type DurationChoice } from './duration.ts';

export type Authority = NonNullable<Decision['representative']>['authority'];

/** What a person may choose on the review before they say yes. */
export interface Choices {
  categories: ReadonlySet<Category>;
  sensitivities: ReadonlySet<Sensitivity>;
  duration: DurationChoice;
  /** When the consent in force ends, as a time; null while there is none. Not a choice: `as-now` means it. */
  sharedUntil: string | null;
  /** The last day of the term `until`, as 2026-11-20; '' while there is none. */
  day: string;
  /** A representative signs for the patient. */
  hasRepresentative: boolean;
  representative: { name: string; authority: Authority | null };
}

/**
 * The defaults: what is shared now, as it is and until it ends; without a consent in force what is requested, and nothing
 * very private. An app that reads already begins with no more than it has. A consent has to end, so a duration is preset
 * too: the shortest that serves the request.
 */
export function createDefaultChoices({ previous, offlineAccess, renews = false }: ReviewSubject): Choices {
  const current = previous?.inForce === true ? previous : null;
  const shared = current?.grant ?? current;
  return {
    categories: new Set(shared?.consentDataResourceScopes ?? ALL_CATEGORIES),
    sensitivities: new Set(
      SENSITIVITIES.filter((name) => shared?.consentDataSensitivityScopes?.includes(name)),
    ),
    duration: getPresetDuration({ isInForce: current !== null, renews, offlineAccess }),
    sharedUntil: current?.expiresAt ?? null,
    day: '',
    hasRepresentative: false,
    representative: { name: '', authority: null },
  };
}

/** Returns the choices of a person on top of the defaults; the end of a consent that is over is none to choose. */
export function applyChoices(subject: ReviewSubject, chosen: Partial<Choices> = {}): Choices {
  const defaults = createDefaultChoices(subject);
  const choices = { ...defaults, ...chosen, sharedUntil: defaults.sharedUntil };
  return choices.duration === 'as-now' && choices.sharedUntil === null
    ? { ...choices, duration: defaults.duration }
    : choices;
}

/** The ids of the fields, which the error summary links to. */
export const FIELD_IDS = {
  categories: 'share-you',
  day: 'last-day',
  name: 'representative-name',
  authority: 'representative-authority',
} as const;

/** Returns what is missing before the person can consent. */
export function validateChoices(
  { categories, duration, day, hasRepresentative, representative }: Choices,
  { review: { errors } }: Words,
  { now, language }: { now: Date; language: Language },
): FormError[] {
  const { first, last } = getSelectableDays(now);
  const errorIf = (isInvalid: boolean, field: string, text: string): FormError[] =>
    isInvalid ? [{ field, text }] : [];
  const range = errors.dayWrong(formatCalendarDay(first, language), formatCalendarDay(last, language));
  return [
    ...errorIf(categories.size === 0, FIELD_IDS.categories, errors.categories),
    ...errorIf(duration === 'until' && day === '', FIELD_IDS.day, errors.dayMissing),
    ...errorIf(duration === 'until' && day !== '' && (day < first || day > last), FIELD_IDS.day, range),
    ...errorIf(
      hasRepresentative && toPlainPersonName(representative.name) === '',
      FIELD_IDS.name,
      errors.nameMissing,
    ),
    ...errorIf(
      hasRepresentative && representative.authority === null,
      FIELD_IDS.authority,
      errors.authorityMissing,
    ),
  ];
}

/** Returns the choices as the service takes them; null stands for everything but the very private. */
export function toDecisionBody(
  choices: Choices,
): Pick<
  Decision,
  'consentDataResourceScopes' | 'consentDataSensitivityScopes' | 'duration' | 'representative'
> {
  const { categories, sensitivities, hasRepresentative, representative } = choices;
  const { name, authority } = representative;
  return {
    consentDataResourceScopes: categories.size === ALL_CATEGORIES.length ? null : [...categories],
    consentDataSensitivityScopes: sensitivities.size === 0 ? null : ['NORMAL', ...sensitivities],
    duration: toConsentDuration(choices),
    representative: hasRepresentative && authority !== null ? { name: name.trim(), authority } : null,
  };
}

function toConsentDuration({ duration, day, sharedUntil }: Choices): Decision['duration'] {
  if (duration === 'until') return { until: toEndOfDay(day).toISOString() };
  if (duration !== 'as-now') return duration;
  if (sharedUntil === null) throw new Error('no consent is in force');
  return { until: sharedUntil };
}
