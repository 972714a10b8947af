import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatWindow, renderMetadataLine } from './paging.ts';

describe('the days of a window', () => {
  const describeDays = (from: string, before: string): string[] => {
    const window = { from, before, today: '2026-11-20', years: 3 };
    return [formatWindow(window), renderMetadataLine(window, { dated: [], nextBeforeDate: null })];
  };

  it('end the day before, of the first year as of any other', () => {
    assert.deepEqual(describeDays('2020-01-01', '2023-01-01'), [
      'from 2020-01-01 to 2022-12-31',
      'hasMoreData: false | dateRange: 2020-01-01 to 2022-12-31',
    ]);
    assert.deepEqual(describeDays('0001-01-01', '0001-01-02'), [
      'from 0001-01-01 to 0001-01-01',
      'hasMoreData: false | dateRange: 0001-01-01 to 0001-01-01',
    ]);
  });
});
