import { addDays, startOfDay } from '../../../../contract/time-zone.ts';

const DAY = /^\d{4}-\d\d-\d\d$/;
/** Such as `-24h`: so long before now. */
const RELATIVE = /^-(\d{1,5})([mhd])$/;
const UNIT_MS = { m: 60_000, h: 3_600_000, d: 24 * 3_600_000 } as const;

export const isRelative = (text: string): boolean => RELATIVE.test(text);

export interface Range {
  since?: string | undefined;
  until?: string | undefined;
}

/**
 * The times of a filter: a day of the organization's zone from its beginning, and as `until` to its end; a time that is so long
 * ago; a moment as it is. What is none of these is left out.
 */
export function toTimeRange(
  { since, until }: Range,
  { zone, now }: { zone: string; now: number },
): { since?: string; until?: string } {
  const from = toMoment(since, { zone, now, addedDays: 0 });
  const to = toMoment(until, { zone, now, addedDays: 1 });
  return { ...(from !== undefined && { since: from }), ...(to !== undefined && { until: to }) };
}

interface MomentOptions {
  zone: string;
  now: number;
  /** To a day; 1: its end. */
  addedDays: number;
}

function toMoment(text: string | undefined, { zone, now, addedDays }: MomentOptions): string | undefined {
  if (text === undefined) return undefined;
  const [, count, unit] = RELATIVE.exec(text) ?? [];
  if (unit !== undefined)
    return new Date(now - Number(count) * UNIT_MS[unit as 'm' | 'h' | 'd']).toISOString();
  const time = Date.parse(text);
  if (Number.isNaN(time)) return undefined;
  return (DAY.test(text) ? startOfDay(addDays(text, addedDays), zone) : new Date(time)).toISOString();
}
