import { useState } from 'react';
import { addDays, startOfDay, toDay } from '../../../../contract/time-zone.ts';
import { useConsole } from '../api/use-console.ts';
import { useSearch } from '../kit/use-search.ts';
import { useLanguage } from '../words/use-words.ts';
import { countByDay, countByHour, type CountedUse } from './sum-usage.ts';

const HOUR_MS = 3600 * 1000;

/** The ranges that an address may name, in days; one day is shown by its hours. */
export const RANGE_NAMES = ['1', '7', '28', '90'] as const;
export type RangeName = (typeof RANGE_NAMES)[number];

export interface BucketRange {
  name: RangeName;
  bucket: 'hour' | 'day';
  /** The first day, of the days of a range of days. */
  first: string;
  from: Date;
  to: Date;
  /** Of hours, or of days. */
  buckets: number;
}

/** What the address asks for, up to now: 28 days where it does not say. */
export function useBucketRange(): BucketRange {
  const [{ range }] = useSearch();
  const name = RANGE_NAMES.find((each) => each === range) ?? '28';
  const { timeZone } = useConsole().organization;
  // One end for as long as the page is open, or each drawing would ask anew.
  const [now] = useState(() => Date.now());
  const buckets = name === '1' ? 24 : Number(name);
  const today = toDay(now, timeZone);
  const first = addDays(today, 1 - buckets);
  const to =
    name === '1'
      ? new Date((Math.floor(now / HOUR_MS) + 1) * HOUR_MS)
      : startOfDay(addDays(today, 1), timeZone);
  const from = name === '1' ? new Date(to.getTime() - buckets * HOUR_MS) : startOfDay(first, timeZone);
  return { name, bucket: name === '1' ? 'hour' : 'day', first, from, to, buckets };
}

export interface Bucket {
  label: string;
  from: Date;
  to: Date;
  values: Readonly<Record<string, number>>;
}

/** What was counted in each hour or day of a range, also in those in which nothing was. */
export function useBuckets(
  results: readonly CountedUse[],
  { bucket, from, first, buckets }: BucketRange,
): Bucket[] {
  const { language } = useLanguage();
  const { timeZone: zone } = useConsole().organization;
  if (bucket === 'hour') {
    const format = new Intl.DateTimeFormat(language, { weekday: 'short', hour: 'numeric', timeZone: zone });
    return countByHour(results, { from, hours: buckets }).map(({ at, values }) => ({
      label: format.format(at),
      from: at,
      to: new Date(at.getTime() + HOUR_MS),
      values,
    }));
  }
  const format = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', timeZone: 'UTC' });
  return countByDay(results, { first, days: buckets, zone }).map(({ day, values }) => ({
    label: format.format(new Date(day)),
    from: startOfDay(day, zone),
    to: startOfDay(addDays(day, 1), zone),
    values,
  }));
}
