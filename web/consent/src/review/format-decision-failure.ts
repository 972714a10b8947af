import { isTransient, type Refusal } from '../../../kit/http/refusal.ts';
import type { Language } from '../../../kit/languages.ts';
import { toFailure } from '../../../patient/failure.ts';
import { formatFailure } from '../../../patient/format-failure.ts';
import type { Words } from '../words/en.ts';

/** The code of a decision whose pictures did not arrive, so that it was not sent itself. */
export const NOT_SENT = 'not_sent';

/** By which the service turns a request away before it does anything. */
const TURNED_AWAY: readonly string[] = [NOT_SENT, 'busy'];

/**
 * Says why a decision failed, and whether anything came of it. The fields are validated before; a wrong clock is not, and the
 * service refuses evidence whose times are wrong.
 */
export function formatDecisionFailure(refusal: Refusal, words: Words, language: Language): string {
  const failure = toFailure(refusal);
  const { errors } = words;
  if (failure.kind === 'invalid') return errors.notTaken;
  const text = formatFailure(failure, words, language);
  if (refusal.status === 429) return `${text} ${errors.notSaved}`;
  if (failure.kind !== 'unreachable' || !isTransient(refusal)) return text;
  return TURNED_AWAY.includes(refusal.code) ? `${text} ${errors.notSaved}` : errors.maybeSaved;
}
