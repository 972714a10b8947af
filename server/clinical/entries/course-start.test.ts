import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findCourseStart, isNotBegun } from './course-start.ts';

const from = (start: string, more: object = {}) => ({
  ...more,
  timing: { repeat: { boundsPeriod: { start } } },
});

describe('the beginning of a course', () => {
  it('is that of the first step of its dosage, whatever its text says, where each has one', () => {
    assert.equal(findCourseStart([from('2027-01-05', { text: 'weekly' })], '2026-10-01'), '2027-01-05');
    assert.equal(findCourseStart([from('2027-02'), from('2027-01-05')], null), '2027-01-05');
    const event = ['2027-04-01', '2027-03-01T08:00:00Z'];
    assert.equal(findCourseStart([{ timing: { event } }], null), '2027-03-01');
    assert.equal(findCourseStart([from('2027-01-05'), { text: '5 mg' }], '2026-10-01'), null);
    assert.equal(findCourseStart(undefined, '2026-10-01'), null);
  });

  it('is not said where it is the day of the order', () => {
    assert.equal(findCourseStart([from('2026-10-01')], '2026-10-01'), null);
  });

  it('is to come from tomorrow on, unless so far ahead that the dates were shifted', () => {
    const isToCome = (dayText: string | null, begins?: string) =>
      isNotBegun({ dayText, detail: begins === undefined ? {} : { begins } }, '2026-11-30');
    assert.equal(isToCome('2026-10-01', '2026-12-01'), true);
    assert.equal(isToCome('2026-12-01'), true);
    assert.equal(isToCome('2027'), true);
    for (const day of ['2026-11-30', '2026-11', '2026', '2100-01-01', null])
      assert.equal(isToCome(day), false, String(day));
    assert.equal(isToCome('2026-12-01', '2026-11-01'), false);
  });
});
