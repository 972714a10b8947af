/** Days from the first of `from` to the last before `before`; null is open. Calendar days as records write them. */
export interface DaySpan {
  from: string | null;
  before: string | null;
}

const MONTH_NAMES: readonly string[] = [
  'january jan enero januar janner',
  'february feb febrero februar feber',
  'march mar marzo marz maerz',
  'april apr abril',
  'may mayo mai',
  'june jun junio juni',
  'july jul julio juli',
  'august aug agosto',
  'september sept sep septiembre setiembre',
  'october oct octubre oktober okt',
  'november nov noviembre',
  'december dec diciembre dezember dez',
];

const MONTHS: ReadonlyMap<string, number> = new Map(
  MONTH_NAMES.flatMap((names, index) => names.split(' ').map((name) => [name, index + 1] as const)),
);

const MONTH = `(?:${[...MONTHS.keys()].join('|')})`;
const YEAR = '(?:19|20)\\d\\d';
const DAY = '\\d{1,2}(?:st|nd|rd|th)?';

/** A year alone is not a dose ("2000 iu"). */
const NO_UNIT = '(?! (?:mg|mcg|ug|g|ml|iu|ie|ui|units?|einheiten|unidades|calories?|kcal|cal|steps)\\b)';

/** A day, a month or a year as people write them, in normalized text (lower case, no accents). */
export const POINT = [
  `${YEAR}-\\d{1,2}-\\d{1,2}`,
  `\\d{1,2}[./-]\\d{1,2}[./-]${YEAR}`,
  `${YEAR}-\\d{1,2}`,
  `\\d{1,2}[./]${YEAR}`,
  `${MONTH} (?:the )?${DAY} (?:(?:of|de|del) )?${YEAR}`,
  `${DAY} (?:(?:of|de) )?${MONTH} (?:(?:of|de|del) )?${YEAR}`,
  `${MONTH} (?:(?:of|de|del) )?${YEAR}`,
  `${YEAR}${NO_UNIT}`,
  '(?:19|20)\\d0s',
].join('|');

/** A month of no year: the latest that has begun. Only after a preposition, since "may" and "mar" are words. */
export const MONTH_ALONE = `${MONTH}(?! \\d)`;

/** Returns the days that a text of `POINT` or `MONTH_ALONE` names; null when there is no such day. */
export function parsePoint(text: string, today: string): DaySpan | null {
  const numbers = [...text.matchAll(/\d+/g)].map(([digits]) => Number(digits));
  const month = text.match(/[a-z]+/g)?.flatMap((word) => MONTHS.get(word) ?? [])[0];
  const year = numbers.find((number) => number >= 1900);
  if (month !== undefined) {
    if (year === undefined) return spanMonth(findLatestYear(month, today), month);
    const day = numbers.find((number) => number < 1900);
    return day === undefined ? spanMonth(year, month) : spanDay(year, month, day);
  }
  if (year === undefined) return null;
  if (text.endsWith('0s')) return { from: toDay(year, 1, 1), before: toDay(year + 10, 1, 1) };
  if (numbers.length === 1) return { from: toDay(year, 1, 1), before: toDay(year + 1, 1, 1) };
  const [one = 0, two = 0] = numbers.filter((number) => number !== year);
  if (numbers.length === 2) return spanMonth(year, one);
  // "2020-03-05" is the standard's order, "5.3.2020" German, "3/5/2020" American unless there is no such month.
  if (numbers[0] === year) return spanDay(year, one, two);
  const isDayFirst = text.includes('.') || one > 12;
  return isDayFirst ? spanDay(year, two, one) : spanDay(year, one, two);
}

const findLatestYear = (month: number, today: string): number =>
  Number(today.slice(0, 4)) - (month > Number(today.slice(5, 7)) ? 1 : 0);

function spanMonth(year: number, month: number): DaySpan | null {
  if (month < 1 || month > 12) return null;
  const from = toDay(year, month, 1);
  return { from, before: addMonths(from, 1) };
}

function spanDay(year: number, month: number, day: number): DaySpan | null {
  if (month < 1 || month > 12) return null;
  const from = toDay(year, month, day);
  const date = new Date(`${from}T00:00:00Z`);
  if (Number.isNaN(date.getTime()) || !date.toISOString().startsWith(from)) return null;
  return { from, before: addDays(from, 1) };
}

const toDay = (year: number, month: number, day: number): string =>
  `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;

/** Adds days to a calendar day; never before the year 1, which PostgreSQL and ISO 8601 count differently. */
export function addDays(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  const text = date.toISOString();
  return /^\d{4}-/.test(text) && text >= '0001' ? text.slice(0, 10) : '0001-01-01';
}

/** Adds months by the calendar: a month after January 31 is the last day of February. */
export function addMonths(day: string, months: number): string {
  const [year = 1, month = 1, dayOfMonth = 1] = day.split('-').map(Number);
  const index = year * 12 + (month - 1) + months;
  if (index < 12) return '0001-01-01';
  const first = toDay(Math.floor(index / 12), (index % 12) + 1, 1);
  const end = new Date(`${first}T00:00:00Z`);
  end.setUTCMonth(end.getUTCMonth() + 1, 0);
  return `${first.slice(0, 8)}${String(Math.min(dayOfMonth, end.getUTCDate())).padStart(2, '0')}`;
}
