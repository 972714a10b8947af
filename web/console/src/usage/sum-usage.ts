import type { z } from 'zod';
import { addDays, toDay } from '../../../../contract/time-zone.ts';
import type { getUsage } from '../../../../contract/organization/usage.ts';

const HOUR_MS = 3600 * 1000;

export type UsageResult = z.infer<(typeof getUsage)['response']>['results'][number];

/** What is counted at the beginning of an hour or a day, by whatever kind. */
export interface CountedUse {
  at: string;
  kind: string;
  count: number;
}

export const READ_OUTCOMES = ['answered', 'refused', 'failed'] as const;

const READS = new Set<string>(['tool_call', 'fhir_read'] satisfies UsageResult['kind'][]);

/** Whether a record was asked for. */
export const isRead = ({ kind }: { kind: string }): boolean => READS.has(kind);

/** The outcomes that `countListed` counts, as the filter of the list of reads has them. */
export const LISTED_OUTCOMES = 'success,refused';

/** Counts the calls that the list of reads has: one that failed, most often by its own arguments, has read nothing. */
export const countListed = ({ count, failed }: Pick<UsageResult, 'count' | 'failed'>): number =>
  count - failed;

/** Counts the reads of records by how they ended. */
export const splitByOutcome = (results: readonly UsageResult[]): CountedUse[] =>
  results.filter(isRead).flatMap(({ at, count, refused, failed }) =>
    READ_OUTCOMES.map((kind) => ({
      at,
      kind,
      count: { answered: count - refused - failed, refused, failed }[kind],
    })),
  );

export interface UsageTotal extends Omit<UsageResult, 'at'> {
  /** The count of as long a time before. */
  before: number;
}

/** Puts the totals of a range beside those of the range before it, the most used first; what is used no more has a row too. */
export function compareTotals(now: readonly UsageResult[], before: readonly UsageResult[]): UsageTotal[] {
  const toName = ({ kind, key }: UsageResult): string => JSON.stringify([kind, key]);
  const counts = new Map(before.map((row) => [toName(row), row.count]));
  const names = new Set(now.map(toName));
  const ended = before
    .filter((row) => !names.has(toName(row)))
    .map((row) => ({ ...row, count: 0, refused: 0, failed: 0, p50Ms: null, p95Ms: null }));
  return [...now, ...ended]
    .map(({ at: _at, ...row }) => ({ ...row, before: counts.get(toName({ ...row, at: '' })) ?? 0 }))
    .sort((one, other) => other.count - one.count || other.before - one.before);
}

/** Counts for each day of a range and each kind, in a zone; days without use are there too. */
export function countByDay(
  results: readonly CountedUse[],
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

/** Counts for each of the hours from a time and each kind; hours without use are there too. */
export function countByHour(
  results: readonly CountedUse[],
  { from, hours }: { from: Date; hours: number },
): { at: Date; values: Record<string, number> }[] {
  const byHour = Map.groupBy(results, ({ at }) => Date.parse(at));
  return Array.from({ length: hours }, (_hour, index) => {
    const at = new Date(from.getTime() + index * HOUR_MS);
    const values: Record<string, number> = {};
    for (const { kind, count } of byHour.get(at.getTime()) ?? []) values[kind] = (values[kind] ?? 0) + count;
    return { at, values };
  });
}
