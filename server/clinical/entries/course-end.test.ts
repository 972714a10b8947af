import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findCourseEnd } from './course-end.ts';

const bounds = (repeat: object, sequence?: number) => ({ sequence, timing: { repeat } });
const until = (end: string, sequence?: number) => bounds({ boundsPeriod: { end } }, sequence);
const lasting = (value: string, code: string, sequence?: number) =>
  bounds({ boundsDuration: { value, code } }, sequence);
const find = (dosages: unknown, more: Partial<Parameters<typeof findCourseEnd>[1]> = {}) =>
  findCourseEnd(dosages, { start: '2025-02-01', hasRefills: false, ...more });
const NONE = { end: null, isComputed: false };

describe('the end of a course', () => {
  it('is the end of the period in which it is taken, as written', () => {
    assert.deepEqual(find([until('2025-02-11T08:00:00Z')]), { end: '2025-02-11', isComputed: false });
    assert.deepEqual(find([until('2025-02')]), { end: '2025-02', isComputed: false });
    assert.deepEqual(find([bounds({ boundsPeriod: { start: '2025-02-01' } })]), NONE);
    assert.deepEqual(find(undefined), NONE);
    assert.deepEqual(find([{ text: 'daily' }]), NONE);
  });

  it('is that of the last step; a step without one is open', () => {
    assert.equal(find([until('2025-03-01'), until('2025-02-11'), until('2025-02')]).end, '2025-03-01');
    assert.equal(find([until('2025-02-27'), until('2025-02')]).end, '2025-02');
    assert.deepEqual(find([until('2025-02-11'), { text: 'then 5 mg daily' }]), NONE);
  });

  it('is computed from a duration and a whole day', () => {
    assert.deepEqual(find([lasting('10', 'd')]), { end: '2025-02-11', isComputed: true });
    assert.equal(find([lasting('2', 'wk')]).end, '2025-02-15');
    assert.equal(find([lasting('12', 'h')]).end, '2025-02-02');
    assert.equal(find([bounds({ boundsDuration: { value: 3, unit: 'Days' } })]).end, '2025-02-04');
    assert.equal(
      find([bounds({ boundsRange: { low: { value: 5, code: 'd' }, high: { value: 7, code: 'd' } } })]).end,
      '2025-02-08',
    );
    for (const start of [undefined, '2025-02', '2025'])
      assert.deepEqual(find([lasting('10', 'd')], { start }), NONE);
    assert.deepEqual(find([lasting('10', 'd')], { hasRefills: true }), NONE);
    assert.deepEqual(find([bounds({ boundsDuration: { value: 7, comparator: '>=', code: 'd' } })]), NONE);
    for (const value of ['x', '-1', '0', '1e9']) assert.deepEqual(find([lasting(value, 'd')]), NONE, value);
  });

  it('adds the durations of steps that follow each other, where the record says that they do', () => {
    assert.equal(find([lasting('7', 'd', 1), lasting('3', 'd', 2)]).end, '2025-02-11');
    assert.equal(find([lasting('7', 'd', 1), lasting('3', 'd', 1)]).end, '2025-02-08');
    assert.deepEqual(find([lasting('7', 'd'), lasting('3', 'd')]), NONE);
    assert.deepEqual(find([lasting('7', 'd', 1), until('2025-03-01', 2)]), {
      end: '2025-03-01',
      isComputed: false,
    });
  });
});
