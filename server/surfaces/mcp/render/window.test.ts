import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  getNextDay,
  getPreviousDay,
  HistoryWindow,
  resolveWindow,
  shiftWindow,
  subtractYears,
} from './window.ts';

const clock = { now: () => new Date('2026-11-20T23:59:59Z') };

describe('a window', () => {
  it('reaches back three years from today and has no end', () => {
    assert.deepEqual(resolveWindow(clock, {}), {
      today: '2026-11-20',
      before: null,
      years: 3,
      from: '2023-11-20',
    });
  });

  it('ends before beforeDate', () => {
    assert.deepEqual(resolveWindow(clock, { years: 2, beforeDate: '2020-03-01' }), {
      today: '2026-11-20',
      before: '2020-03-01',
      years: 2,
      from: '2018-03-01',
    });
  });

  it('ends at the newest day of a record whose dates all lie far ahead', () => {
    const window = resolveWindow(clock, { years: 2 });
    const holdings = [
      { firstDay: null, lastDay: null },
      { firstDay: '2176-01-01', lastDay: '2180-05-06' },
      { firstDay: '2179-01-01', lastDay: '2179-02-02' },
    ];
    assert.deepEqual(shiftWindow(window, holdings), { ...window, from: '2178-05-06' });
    assert.equal(shiftWindow(resolveWindow(clock, { beforeDate: '2179-01-01' }), holdings), null);
    const planned = { firstDay: '2027-01-15', lastDay: '2027-01-15' };
    assert.equal(shiftWindow(window, [planned]), null);
    assert.equal(shiftWindow(window, [...holdings, { firstDay: '2001-01-01', lastDay: null }]), null);
    assert.equal(shiftWindow(window, []), null);
  });

  it('ends a month early where the month has no such day', () => {
    assert.equal(subtractYears('2024-02-29', 1), '2023-02-28');
    assert.equal(subtractYears('2024-02-29', 4), '2020-02-29');
    assert.equal(subtractYears('2024-03-31', 1 / 12), '2024-02-29');
    assert.equal(subtractYears('2000-02-29', 100), '1900-02-28');
  });

  it('converts fractions of a year to months and days', () => {
    assert.equal(subtractYears('2026-11-20', 0.5), '2026-05-20');
    assert.equal(subtractYears('2026-01-15', 0.25), '2025-10-15');
    assert.equal(subtractYears('2026-11-20', 0.01), '2026-11-16');
  });

  it('contains at least a day and stays within the calendar', () => {
    assert.equal(subtractYears('2026-11-20', 1e-9), '2026-11-19');
    assert.equal(subtractYears('0100-05-01', 150), '0001-01-01');
    assert.equal(subtractYears('0151-05-01', 150), '0001-05-01');
  });

  it('crosses months, years and leap days', () => {
    assert.equal(getNextDay('2023-12-31'), '2024-01-01');
    assert.equal(getNextDay('2024-02-28'), '2024-02-29');
    assert.equal(getPreviousDay('2023-03-01'), '2023-02-28');
    assert.equal(getPreviousDay('0099-01-01'), '0098-12-31');
  });
});

describe('the window arguments', () => {
  const accepts = (input: unknown): boolean => HistoryWindow.safeParse(input).success;

  it('accept days of the calendar only', () => {
    for (const beforeDate of ['2024-02-29', '0001-01-02']) assert.ok(accepts({ beforeDate }));
    for (const beforeDate of [
      '2023-02-29',
      '2023-13-01',
      '2023-1-1',
      '20230101',
      '0000-01-01',
      // Nothing is before it.
      '0001-01-01',
      '2023-01-01T00:00:00Z',
      '',
      20230101,
    ]) {
      assert.ok(!accepts({ beforeDate }), String(beforeDate));
    }
  });

  it('accept years above 0 and up to 150', () => {
    for (const years of [0.1, 1, 150]) assert.ok(accepts({ years }), String(years));
    for (const years of [0, -1, 151, Number.NaN, Infinity, '3', null])
      assert.ok(!accepts({ years }), String(years));
  });
});
