import type { Refusal } from '../../../kit/http/refusal.ts';
import type { Language } from '../../../kit/languages.ts';
import type { FrameWords } from '../words/en/frame.ts';

type ErrorWords = FrameWords['errors'];
type FixedText = Exclude<keyof ErrorWords, 'throttledUntil'>;

const TEXT_BY_CODE: ReadonlyMap<string, FixedText> = new Map([
  ['csrf', 'stalePage'],
  ['confirmation_required', 'notConfirmed'],
  ['not_signed_in', 'signedOut'],
  ['timed-out', 'timedOut'],
  ['wrong_project', 'wrongProject'],
  ['older_node', 'updating'],
]);

const TEXT_BY_STATUS: ReadonlyMap<number, FixedText> = new Map([
  [0, 'unreachable'],
  [400, 'invalid'],
  [403, 'forbidden'],
  [404, 'gone'],
  [409, 'conflict'],
  [503, 'busy'],
]);

/** Describes in a sentence or two why the service refused; a page describes the codes that are its own before. */
export function describeRefusal(
  { status, code, retryAt }: Refusal,
  { errors }: FrameWords,
  language: Language,
): string {
  if (status === 429 && retryAt !== null)
    return errors.throttledUntil(new Intl.DateTimeFormat(language, { timeStyle: 'short' }).format(retryAt));
  if (status === 429) return errors.throttled;
  return errors[TEXT_BY_CODE.get(code) ?? TEXT_BY_STATUS.get(status) ?? 'failed'];
}
