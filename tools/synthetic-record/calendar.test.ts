import assert from 'node:assert/strict';
import { it } from 'node:test';
import { addMonths, computeAge, parseDay, formatDay, formatLocalTime, toWorkday } from './calendar.ts';

const formatNoon = (day: string) => formatLocalTime(parseDay(day), 12 * 60);

it('changes the offset on the Sundays of the law in force that year', () => {
  assert.equal(formatNoon('2026-03-07'), '2026-03-07T12:00:00-05:00');
  assert.equal(formatNoon('2026-03-08'), '2026-03-08T12:00:00-04:00');
  assert.equal(formatNoon('2026-10-31'), '2026-10-31T12:00:00-04:00');
  assert.equal(formatNoon('2026-11-01'), '2026-11-01T12:00:00-05:00');
  assert.equal(formatNoon('2006-04-01'), '2006-04-01T12:00:00-05:00');
  assert.equal(formatNoon('2006-04-02'), '2006-04-02T12:00:00-04:00');
  assert.equal(formatNoon('2006-10-29'), '2006-10-29T12:00:00-05:00');
  assert.equal(formatNoon('1975-07-01'), '1975-07-01T12:00:00-04:00');
});

it("goes to the shorter month's last day when the day does not exist there", () => {
  assert.equal(formatDay(addMonths(parseDay('2024-01-31'), 1)), '2024-02-29');
  assert.equal(formatDay(addMonths(parseDay('2024-02-29'), -12)), '2023-02-28');
});

it('moves weekends and holidays to a day on which a clinic is open', () => {
  const shift = (day: string) => formatDay(toWorkday(parseDay(day)));
  assert.equal(shift('2026-11-21'), '2026-11-20');
  assert.equal(shift('2026-11-22'), '2026-11-23');
  assert.equal(shift('2023-12-24'), '2023-12-26');
  assert.equal(shift('2025-07-05'), '2025-07-03');
  assert.equal(shift('1966-01-01'), '1965-12-31');
});

it('counts a year of age from the birthday on', () => {
  assert.equal(computeAge(parseDay('1960-06-15'), parseDay('2026-06-14')), 65);
  assert.equal(computeAge(parseDay('1960-06-15'), parseDay('2026-06-15')), 66);
});
