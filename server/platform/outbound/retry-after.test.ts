import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseRetryAfter } from './retry-after.ts';

const NOW = new Date('2026-03-01T12:00:00Z');

describe('Retry-After', () => {
  for (const [text, ms] of [
    ['120', 120_000],
    [' 0 ', 0],
    ['Sun, 01 Mar 2026 12:01:00 GMT', 60_000],
    ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
    ['12 apples', null],
    ['-5', null],
    ['2026-03-01', null],
    ['999999999999', 999_999_999_999_000],
    ['9'.repeat(400), Number.MAX_SAFE_INTEGER],
    ['', null],
    [undefined, null],
  ] as const)
    it(`parses ${String(text).slice(0, 40)} to ${ms} milliseconds`, () =>
      assert.equal(parseRetryAfter(text, NOW), ms));
});
