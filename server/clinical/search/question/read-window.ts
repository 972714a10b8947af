import type { AskedWindow } from '../question.ts';
import type { TimeExpression } from './time-expressions.ts';

/** Reads the days that all times of a question hold; null where it names none. */
export function readWindow(text: string, times: readonly TimeExpression[]): AskedWindow | null {
  const named = times.flatMap(({ days, ...time }) => (days === undefined ? [] : [{ days, ...time }]));
  const [first] = named;
  if (first === undefined) return null;
  // "in 2019, last month": the last day that all of them hold.
  const from =
    named
      .flatMap(({ days }) => days.from ?? [])
      .sort()
      .at(-1) ?? null;
  const [before = null] = named.flatMap(({ days }) => days.before ?? []).sort();
  return {
    from,
    to: before === null ? null : getPreviousDay(before),
    phrase: named.map(({ start, end }) => text.slice(start, end).trim()).join(', '),
    isRelative: named.some(({ isRelative }) => isRelative === true),
  };
}

function getPreviousDay(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() - 1);
  return date.toISOString().slice(0, 10);
}
