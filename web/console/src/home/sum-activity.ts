import type { DailyFigures } from '../../../../contract/organization/daily-figures.ts';
import type { ConsentStats } from '../../../../contract/organization/organization-consents.ts';
import { addDays, toDay } from '../../../../contract/time-zone.ts';
import { countListed, isRead, type UsageResult } from '../usage/sum-usage.ts';

/** What Home counts by day. */
export const MEASURES = ['given', 'ended', 'inForce', 'reads', 'patients', 'refused'] as const;
export type Measure = (typeof MEASURES)[number];

export interface ActivityDay {
  /** YYYY-MM-DD, in the organization's zone. */
  day: string;
  /** undefined: not known to the member. */
  values: Readonly<Partial<Record<Measure, number>>>;
}

interface Source {
  /** undefined: the member may not see it. */
  stats: Pick<ConsentStats, 'buckets'> | undefined;
  usage: readonly UsageResult[] | undefined;
  figures: readonly Pick<DailyFigures, 'day' | 'activePatients'>[] | undefined;
}

/** Puts consents and reads together by day, the first day first; a day without any has zeros. */
export function sumActivity(
  { stats, usage, figures }: Source,
  { first, days, zone }: { first: string; days: number; zone: string },
): ActivityDay[] {
  const consents = new Map(stats?.buckets.map((bucket) => [bucket.start, bucket]));
  const reads = Map.groupBy((usage ?? []).filter(isRead), ({ at }) => toDay(Date.parse(at), zone));
  const active = new Map(figures?.map(({ day, activePatients }) => [day, activePatients]));
  return Array.from({ length: days }, (_day, index) => {
    const day = addDays(first, index);
    const bucket = consents.get(day);
    const rows = reads.get(day) ?? [];
    const refused = rows.reduce((total, row) => total + row.refused, 0);
    return {
      day,
      values: {
        ...(stats && {
          given: bucket?.given ?? 0,
          ended: (bucket?.withdrawn ?? 0) + (bucket?.ended ?? 0),
          inForce: bucket?.inForce ?? 0,
        }),
        ...(usage && {
          reads: rows.reduce((total, row) => total + countListed(row), 0) - refused,
          patients: active.get(day) ?? 0,
          refused,
        }),
      },
    };
  });
}

/** The mean of all days but the last, which has not ended; null where there are none. */
export function averageBefore(days: readonly ActivityDay[], measure: Measure): number | null {
  const before = days.slice(0, -1);
  if (before.length === 0) return null;
  return before.reduce((total, { values }) => total + (values[measure] ?? 0), 0) / before.length;
}
