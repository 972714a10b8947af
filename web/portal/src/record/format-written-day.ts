import type { Language } from '../../../kit/languages.ts';

/** A day, month or year as precise as the record has it: "2021", "March 2021", "March 5, 2021". */
export function formatWrittenDay(day: string, language: Language): string {
  const [year = '', month, date] = day.split('-');
  if (month === undefined) return year;
  const style =
    date === undefined ? ({ month: 'long', year: 'numeric' } as const) : ({ dateStyle: 'long' } as const);
  const time = new Date(`${year}-${month}-${date ?? '01'}T00:00:00Z`);
  // What is no date, a record may hold it, is shown as it stands.
  if (Number.isNaN(time.getTime())) return day;
  return new Intl.DateTimeFormat(language, { ...style, timeZone: 'UTC' }).format(time);
}
