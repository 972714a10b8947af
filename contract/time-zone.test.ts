import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addDays, startOfDay, toDay } from './time-zone.ts';

describe('the days of a time zone', () => {
  it('are those of its clocks', () => {
    assert.equal(toDay(Date.parse('2026-03-08T04:30:00Z'), 'America/New_York'), '2026-03-07');
    assert.equal(toDay(Date.parse('2026-03-08T20:30:00Z'), 'Asia/Kolkata'), '2026-03-09');
    assert.equal(toDay(Date.parse('2026-03-08T20:30:00Z'), 'UTC'), '2026-03-08');
  });

  it('have 23 and 25 hours where the clocks are changed, and begin later where midnight is skipped', () => {
    for (const [day, zone, start, hours] of [
      ['2026-03-08', 'America/New_York', '2026-03-08T05:00:00.000Z', 23],
      ['2026-11-01', 'America/New_York', '2026-11-01T04:00:00.000Z', 25],
      ['2026-07-01', 'Asia/Kolkata', '2026-06-30T18:30:00.000Z', 24],
      ['2026-07-01', 'Pacific/Kiritimati', '2026-06-30T10:00:00.000Z', 24],
      // Clocks go from 00:00 to 01:00 there.
      ['2026-09-06', 'America/Santiago', '2026-09-06T04:00:00.000Z', 23],
      // Clocks go from 24:00 back to 23:00 there: the day begins when they are there again.
      ['2026-04-05', 'America/Santiago', '2026-04-05T04:00:00.000Z', 24],
    ] as const) {
      const from = startOfDay(day, zone);
      assert.equal(from.toISOString(), start, `${day} ${zone}`);
      assert.equal((startOfDay(addDays(day, 1), zone).getTime() - from.getTime()) / 3_600_000, hours, day);
    }
  });

  it('are counted over the ends of months and years', () => {
    assert.equal(addDays('2026-12-31', 1), '2027-01-01');
    assert.equal(addDays('2028-03-01', -1), '2028-02-29');
  });
});
