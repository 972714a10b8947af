import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parsePartialDate } from './partial-date.ts';

const read = (value: unknown): string | null => {
  const { day, dayText, time } = parsePartialDate(value);
  return day === null ? null : [day, dayText, time].join(' ').trim();
};

describe('a date', () => {
  it('is read in the precision that FHIR has, and never shifted', () => {
    assert.equal(read('2026'), '2026-01-01 2026');
    assert.equal(read('2026-03'), '2026-03-01 2026-03');
    assert.equal(read('2026-03-08T23:30:00-11:00'), '2026-03-08 2026-03-08 23:30');
  });

  it('is read in other forms that mean one day alone', () => {
    for (const [written, day, time] of [
      ['2026-3-7', '2026-03-07'],
      ['2026/03/07', '2026-03-07'],
      ['2026-3-7 09:05', '2026-03-07', '09:05'],
      ['20260307', '2026-03-07'],
      [20260307, '2026-03-07'],
      ['20260307T141500Z', '2026-03-07', '14:15'],
      ['202603071415', '2026-03-07', '14:15'],
      ['20260307141500.123-0500', '2026-03-07', '14:15'],
    ] as const)
      assert.equal(read(written), [day, day, time].join(' ').trim(), String(written));
  });

  it('is none where it may mean several days, or no day of the calendar', () => {
    for (const written of [
      '03/09/2026',
      '13/09/2026',
      '03092026',
      '13092026',
      '26-03-07',
      '2026-02-30',
      '2026-13-01',
      '20260230',
      '2026-3',
      '202603',
      '1709856000',
      '1709856000000',
      '20260307 and later',
      'unknown',
      '0000-01-01',
    ])
      assert.equal(read(written), null, written);
  });
});
