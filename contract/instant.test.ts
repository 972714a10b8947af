import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { z } from 'zod';
import { CalendarDay } from './calendar-day.ts';
import { Instant } from './instant.ts';

const listFaults = (schema: z.ZodType, value: unknown): string[] =>
  schema.safeParse(value).error?.issues.map(({ message }) => message) ?? [];

describe('a time that a caller sends', () => {
  it('is refused with what it must be, and no word of its year, where it is none', () => {
    for (const value of ['tomorrow', '2026-01-31', '2026-02-30T00:00:00Z', '2026-01-31T12:00:00', undefined])
      assert.deepEqual(listFaults(Instant, value), [
        'must be a date and time with an offset, such as 2026-01-31T12:00:00Z',
      ]);
    for (const value of ['x', '', '2026-02-30', '2026-01-31T12:00:00Z'])
      assert.deepEqual(listFaults(CalendarDay, value), ['must be a day of the calendar, such as 2026-01-31']);
  });

  it('lies in the years that the store has', () => {
    assert.deepEqual(listFaults(Instant, '0000-12-31T00:00:00Z'), ['must lie in the years 1 to 9999 (UTC)']);
    assert.deepEqual(listFaults(CalendarDay, '0000-12-31'), ['must lie in the years 1 to 9999']);
    assert.deepEqual(listFaults(Instant, '2026-01-31T12:00:00+02:00'), []);
    assert.deepEqual(listFaults(CalendarDay, '2026-01-31'), []);
  });
});
