import type { AccessLogEntry as LogEntry } from '../../../../contract/account/access-log.ts';
import { formatCount } from '../../../kit/format-number.ts';
import type { Language } from '../../../kit/languages.ts';
import type { Words } from '../words/en.ts';

export const EARLY_END = 'fhir.everything_ended';

/** Renders what became of an answer that the entry before this one says more of. */
export function renderEarlyEnd(
  { reason, entries }: LogEntry,
  who: string,
  { words, language }: { words: Words; language: Language },
): string {
  const { endedEarly, entries: countWords } = words.myData.activity;
  const byReason = new Map(Object.entries(endedEarly));
  const render = byReason.get(reason ?? '') ?? endedEarly.failed;
  return render(who, formatCount(entries ?? 0, { one: countWords.one, many: countWords.many }, language));
}
