import { isTransient, type Refusal } from '../../../kit/http/refusal.ts';
import type { Language } from '../../../kit/languages.ts';
import { toFailure } from '../../../patient/failure.ts';
import { formatFailure } from '../../../patient/format-failure.ts';
import type { Words } from '../words/en.ts';

/** The code of a decision whose pictures did not arrive, so that it was not sent itself. */
export const NOT_SENT = 'not_sent';

/** By which the service turns a request away before it does anything. */
const TURNED_AWAY: readonly string[] = [NOT_SENT, 'busy'];

/** What a wrong clock gets wrong: the end that was chosen, and the times of what was seen and pressed. */
const TIMES = /^(duration|takenAt|changedAt|interactions)\b/;

/**
 * Says why a decision failed, and whether anything came of it. The fields are validated before; a wrong clock is not, so a
 * refusal of times alone is blamed on it.
 */
export function formatDecisionFailure(refusal: Refusal, words: Words, language: Language): string {
  const failure = toFailure(refusal);
  const { errors } = words;
  if (failure.kind === 'invalid')
    return refusal.errors.some(({ path }) => !TIMES.test(path))
      ? `${errors.invalid} ${errors.notSaved}`
      : errors.notTaken;
  const text = formatFailure(failure, words, language);
  if (refusal.status === 429) return `${text} ${errors.notSaved}`;
  if (failure.kind !== 'unreachable' || !isTransient(refusal)) return text;
  return TURNED_AWAY.includes(refusal.code) ? `${text} ${errors.notSaved}` : errors.maybeSaved;
}
