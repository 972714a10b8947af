import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatWrittenDay } from './format-written-day.ts';

describe('a day as a record has it', () => {
  it('is said as precisely as it was written, in any time zone', () => {
    assert.deepEqual(
      ['2021', '2021-03', '2021-03-05'].map((day) => formatWrittenDay(day, 'en')),
      ['2021', 'March 2021', 'March 5, 2021'],
    );
    assert.equal(formatWrittenDay('2021-03', 'es'), 'marzo de 2021');
  });

  it('that is none is shown as it stands', () => {
    assert.equal(formatWrittenDay('2021-13-45', 'en'), '2021-13-45');
  });
});
