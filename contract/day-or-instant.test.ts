import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DayOrInstant, toEndMoment, toFirstDay, toFirstMoment, toLastDay } from './day-or-instant.ts';

const ZONE = 'America/New_York';

describe('a bound of a range', () => {
  it('is a day or a time with an offset, and says so', () => {
    for (const text of ['2026-01-31', '2026-01-31T12:00:00Z', '2026-01-31T12:00:00-05:00'])
      assert.equal(DayOrInstant.parse(text), text);
    const getMessage = (text: string) => DayOrInstant.safeParse(text).error?.issues[0]?.message;
    for (const text of ['', 'today', '2026-01', '2026-01-31T12:00:00'])
      assert.match(getMessage(text) ?? '', /a day, .* or a date and time with an offset/);
    assert.match(getMessage('2026-02-30') ?? '', /day of the calendar/);
    assert.match(getMessage('0000-06-01T00:00:00Z') ?? '', /years 1 to 9999/);
  });

  it('covers the same where both ends are days, and where they are the moments between which these lie', () => {
    const days = ['2026-03-08', '2026-03-08'] as const;
    const moments = ['2026-03-08T00:00:00-05:00', '2026-03-09T00:00:00-04:00'] as const;
    for (const [from, to] of [days, moments]) {
      assert.equal(toFirstMoment(from, ZONE).toISOString(), '2026-03-08T05:00:00.000Z');
      assert.equal(toEndMoment(to, ZONE).toISOString(), '2026-03-09T04:00:00.000Z');
      assert.deepEqual([toFirstDay(from, ZONE), toLastDay(to, ZONE)], days);
    }
  });

  it('takes the day that holds a moment within it', () => {
    assert.equal(toFirstDay('2026-03-08T02:00:00Z', ZONE), '2026-03-07');
    assert.equal(toLastDay('2026-03-08T05:00:00.001Z', ZONE), '2026-03-08');
  });

  it('stays within the times that the store has', () => {
    assert.equal(toFirstMoment('0001-01-01', 'Asia/Tokyo').toISOString(), '0001-01-01T00:00:00.000Z');
    assert.equal(toEndMoment('9999-12-31', ZONE).toISOString(), '9999-12-31T23:59:59.999Z');
    assert.equal(toEndMoment('9999-12-30', ZONE).toISOString(), '9999-12-31T05:00:00.000Z');
  });
});
