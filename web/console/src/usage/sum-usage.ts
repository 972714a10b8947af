import type { z } from 'zod';
import { addDays, toDay } from '../../../../contract/time-zone.ts';
import type { getUsage } from '../../../../contract/organization/usage.ts';

export type UsageResult = z.infer<(typeof getUsage)['response']>['results'][number];

export interface UsageTotal {
  kind: UsageResult['kind'];
  key: string | null;
  count: number;
  refused: number;
  failed: number;
}

/** Adds up what was used over all days, the most used first. */
export function sumTotals(results: readonly UsageResult[]): UsageTotal[] {
  const groups = Map.groupBy(results, ({ kind, key }) => JSON.stringify([kind, key]));
  return [...groups.values()]
    .map((rows) => {
      const [{ kind, key }] = rows as [UsageResult];
      const sum = (name: 'count' | 'refused' | 'failed') => rows.reduce((total, row) => total + row[name], 0);
      return { kind, key, count: sum('count'), refused: sum('refused'), failed: sum('failed') };
    })
    .sort((one, other) => other.count - one.count);
}

/** Counts for each day of a range and each kind, in a zone; days without use are there too. */
export function countByDay(
  results: readonly UsageResult[],
  { first, days, zone }: { first: string; days: number; zone: string },
): { day: string; values: Record<string, number> }[] {
  const byDay = Map.groupBy(results, ({ at }) => toDay(Date.parse(at), zone));
  return Array.from({ length: days }, (_day, index) => {
    const day = addDays(first, index);
    const values: Record<string, number> = {};
    for (const { kind, count } of byDay.get(day) ?? []) values[kind] = (values[kind] ?? 0) + count;
    return { day, values };
  });
}
