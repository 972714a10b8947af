import { formatNumber } from '../../../kit/format-number.ts';
import type { Language } from '../../../kit/languages.ts';
import type { RecordFact } from '../../../../contract/account/record-facts.ts';
import type { Words } from '../words/en.ts';
import { formatWrittenDay } from './format-written-day.ts';

type Times = Pick<RecordFact, 'kind' | 'day' | 'times' | 'firstDay' | 'lastDay' | 'laterWithoutValue'>;

/** Kinds whose values and words differ from one time to the next: the shown one has its own day. */
const VALUED: ReadonlySet<string> = new Set(['lab', 'vital', 'survey', 'social_history']);
const NAMED: ReadonlySet<string> = new Set([
  'condition',
  'medication',
  'allergy',
  'procedure',
  'immunization',
]);

/** The day, and of what stands for several how many, of which times: never as if all said what is shown. */
export function formatTimes(
  { kind, day, times, firstDay, lastDay, laterWithoutValue }: Times,
  { myData: { record } }: Words,
  language: Language,
): string[] {
  const format = (written: string) => formatWrittenDay(written, language);
  const own = day === null ? '' : format(day);
  if (times === 1) return [own];
  const count = formatNumber(times, language);
  const [first, last] = [format(firstDay ?? ''), format(lastDay ?? day ?? '')];
  const span = firstDay !== null && firstDay !== lastDay ? record.span(first, last) : last;
  if (NAMED.has(kind)) return [record.recorded(count, span)];
  if (!VALUED.has(kind)) return [own, record.sameWords(count, span)];
  if (day === lastDay || laterWithoutValue) return [own, record.newestOf(count, span)];
  return [own, day === firstDay ? record.oldestOf(count, span) : record.oneOf(count, span)];
}
