import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { getPresetDuration, getSelectableDays, getExpiry } from './duration.ts';
import { formatCalendarDay, formatLastDay } from '../../../kit/format-date.ts';

const own = process.env['TZ'];
after(() => {
  if (own === undefined) delete process.env['TZ'];
  else process.env['TZ'] = own;
});

describe('the last day of a consent', () => {
  for (const zone of ['America/New_York', 'UTC', 'Europe/Berlin', 'Pacific/Kiritimati'])
    it(`is the chosen day, on the review and later, in ${zone}`, () => {
      process.env['TZ'] = zone;
      const now = new Date('2026-11-20T11:00:00Z');
      const { first, last } = getSelectableDays(now);
      for (const day of [first, '2026-12-30', last]) {
        const end = getExpiry({ duration: 'until', day }, now);
        assert.ok(end, day);
        assert.equal(formatLastDay(end.toISOString(), 'en'), formatCalendarDay(day, 'en'));
        assert.equal(end.getHours(), 0);
        assert.ok(end > now && end <= new Date(now.getTime() + 365 * 24 * 3600 * 1000), day);
      }
    });

  it('is the day of the expiry when a number of days was chosen', () => {
    process.env['TZ'] = 'Pacific/Kiritimati';
    assert.equal(formatLastDay('2026-12-30T11:00:00.123Z', 'en'), 'December 31, 2026');
  });
});

it('presets the end of what is in force, unless a review asks because of that end', () => {
  for (const [isInForce, renews, offlineAccess, expected] of [
    [true, false, true, 'as-now'],
    [true, false, false, 'as-now'],
    [true, true, true, '90-days'],
    [false, false, true, '90-days'],
    [false, false, false, 'once'],
  ] as const)
    assert.equal(getPresetDuration({ isInForce, renews, offlineAccess }), expected);
});
