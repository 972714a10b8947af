import { z } from 'zod';

/** 0001-01-01 and 10000-01-01 in UTC: ISO 8601 has a year 0, and an offset leads across either end. The store has no such year. */
const FIRST_MS = -62_135_596_800_000;
const END_MS = 253_402_300_800_000;

/** Returns the time, or the nearest one that the store has. */
export const clampInstant = (time: Date): Date =>
  new Date(Math.min(Math.max(time.getTime(), FIRST_MS), END_MS - 1));

/** A time that a caller sends, with any offset. */
export const Instant = z.iso
  .datetime({
    offset: true,
    error: 'must be a date and time with an offset, such as 2026-01-31T12:00:00Z',
    abort: true,
  })
  .refine((text) => {
    const time = new Date(text).getTime();
    return time >= FIRST_MS && time < END_MS;
  }, 'must lie in the years 1 to 9999 (UTC)');
