import type { Failure } from './failure.ts';
import type { PatientWords } from './words/en.ts';
import type { Language } from '../kit/languages.ts';

/** Describes in a sentence or two a failure that leaves the person on their screen. */
export function formatFailure(failure: Failure, words: PatientWords, language: Language): string {
  const { errors, errorScreens: screens } = words;
  switch (failure.kind) {
    case 'throttled':
      return failure.until === null
        ? errors.throttled
        : errors.throttledUntil(formatClockTime(failure.until, language));
    case 'stale-page':
      return errors.stalePage;
    case 'unknown-outcome':
      return errors.outcomeUnknown;
    case 'invalid':
      return errors.invalid;
    case 'too-large':
      return errors.tooLarge;
    case 'content-changed':
      return errors.contentChanged;
    case 'consent-changed':
    case 'full-review':
      return errors.consentChanged;
    case 'choices-changed':
      return errors.choicesChanged;
    case 'not-pictured':
      return errors.notPictured;
    case 'expired':
      return screens.expired.text;
    case 'unknown':
      return errors.notFound;
    case 'other-browser':
      return screens['other-browser'].text;
    default:
      return errors.unreachable;
  }
}

const formatClockTime = (time: Date, language: Language): string =>
  new Intl.DateTimeFormat(language, { timeStyle: 'short' }).format(time);
