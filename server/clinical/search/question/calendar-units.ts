import { addDays, addMonths, type DaySpan } from './calendar-point.ts';

type Unit = 'day' | 'week' | 'month' | 'year' | 'decade';

/** Numbers in words; "a few" is read as three. */
const NUMBERS = new Map<string, number>(
  [
    ['a', 'an', 'one', 'un', 'una', 'uno', 'ein', 'eine', 'einem', 'einer'],
    ['couple', 'two', 'dos', 'zwei'],
    ['few', 'several', 'three', 'tres', 'drei', 'pocos', 'paar'],
    ['four', 'cuatro', 'vier'],
    ['five', 'cinco', 'funf'],
    ['six', 'seis', 'sechs'],
    ['seven', 'siete', 'sieben'],
    ['eight', 'ocho', 'acht'],
    ['nine', 'nueve', 'neun'],
    ['ten', 'diez', 'zehn'],
    ['eleven', 'once', 'elf'],
    ['twelve', 'doce', 'zwolf'],
  ].flatMap((words, index) => words.map((word) => [word, index + 1] as const)),
);

/** A number of units, with the words that stand around it. */
export const COUNT = `(?:a )?(?<count>\\d{1,3}|${[...NUMBERS.keys()].join('|')})(?: (?:of|de))?`;

const UNITS: ReadonlyMap<Unit, string> = new Map([
  ['day', 'days?|dias?|tag(?:en?|es)?'],
  ['week', 'weeks?|semanas?|wochen?'],
  ['month', 'months?|mes(?:es)?|monat(?:en?|s)?'],
  ['year', 'years?|yrs?|anos?|jahr(?:en?|es)?'],
  ['decade', 'decades?|decadas?|jahrzehnt(?:en?)?'],
]);

export const UNIT = `(?<unit>${[...UNITS.values()].join('|')})`;

export const readUnit = (text: string): Unit =>
  [...UNITS].find(([, words]) => new RegExp(`^(?:${words})$`).test(text))?.[0] ?? 'day';

export const readCount = (text: string | undefined): number =>
  text === undefined ? 1 : (NUMBERS.get(text) ?? Number(text));

/** Moves a day back by so many of a unit; forward by a negative number. */
export function goBack(day: string, count: number, unit: Unit): string {
  if (unit === 'day' || unit === 'week') return addDays(day, -count * (unit === 'week' ? 7 : 1));
  return addMonths(day, -count * { month: 1, year: 12, decade: 120 }[unit]);
}

/** The unit of the calendar that holds today, or one before it; a week begins on Monday. */
export function spanCalendarUnit(today: string, unit: Unit, back: number): DaySpan {
  if (unit === 'week') {
    const weekday = (new Date(`${today}T00:00:00Z`).getUTCDay() + 6) % 7;
    const monday = addDays(today, -weekday - 7 * back);
    return { from: monday, before: addDays(monday, 7) };
  }
  const first = {
    day: today,
    month: `${today.slice(0, 8)}01`,
    year: `${today.slice(0, 4)}-01-01`,
    decade: `${today.slice(0, 3)}0-01-01`,
  }[unit];
  return { from: goBack(first, back, unit), before: goBack(first, back - 1, unit) };
}
