import type { Trouble } from '../api/refusal.ts';
import type { Words } from './en.ts';
import type { Language } from './spoken.ts';

/** A failure that leaves the person where they are, in one sentence or two. */
export function failureText(trouble: Trouble, words: Words, language: Language): string {
  const { failed, trouble: screens } = words;
  switch (trouble.kind) {
    case 'throttled':
      return trouble.until === null
        ? failed.throttled
        : failed.throttledUntil(clock(trouble.until, language));
    case 'stale-page':
      return failed.stalePage;
    case 'invalid':
      return failed.invalid;
    case 'too-large':
      return failed.tooLarge;
    case 'content-changed':
      return failed.contentChanged;
    case 'not-pictured':
      return failed.notPictured;
    case 'expired':
      return screens.expired.text;
    case 'unknown':
      return screens.unknown.text;
    case 'other-browser':
      return screens['other-browser'].text;
    default:
      return failed.unreachable;
  }
}

const clock = (time: Date, language: Language): string =>
  new Intl.DateTimeFormat(language, { timeStyle: 'short' }).format(time);
