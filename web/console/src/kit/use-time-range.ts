import { useMemo } from 'react';
import { useConsole } from '../api/use-console.ts';
import { type Range, toTimeRange } from './time-range.ts';

const getNow = (): number => Date.now();

/** The times of a filter, for as long as it is set: "the last day" begins when the page is opened, so that rows stay. */
export function useTimeRange(range: Range): ReturnType<typeof toTimeRange> {
  const { timeZone: zone } = useConsole().organization;
  const { since, until } = range;
  return useMemo(() => toTimeRange({ since, until }, { zone, now: getNow() }), [since, until, zone]);
}
