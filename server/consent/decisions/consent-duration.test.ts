import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resolveConsentExpiry } from './consent-duration.ts';

const now = new Date('2026-03-01T18:30:00Z');

describe('resolveConsentExpiry', () => {
  for (const [duration, end] of [
    ['once', '2026-03-01T19:30:00.000Z'],
    ['30-days', '2026-03-31T18:30:00.000Z'],
    ['90-days', '2026-05-30T18:30:00.000Z'],
    ['1-year', '2027-03-01T18:30:00.000Z'],
    // Midnight in New York and in Kiritimati.
    [{ until: '2026-03-02T00:00:00-05:00' }, '2026-03-02T05:00:00.000Z'],
    [{ until: '2027-01-01T00:00:00+14:00' }, '2026-12-31T10:00:00.000Z'],
    [{ until: '2027-03-01T18:30:00Z' }, '2027-03-01T18:30:00.000Z'],
  ] as const) {
    it(`resolves ${JSON.stringify(duration)} to ${end}`, () => {
      assert.equal(resolveConsentExpiry(duration, now).toISOString(), end);
    });
  }

  for (const until of [
    '2026-03-01T18:30:00Z',
    '1970-01-01T00:00:00Z',
    '2027-03-01T18:30:00.001Z',
    '9999-12-31T00:00:00Z',
  ]) {
    it(`refuses until ${until}`, () => {
      assert.throws(() => resolveConsentExpiry({ until }, now), { status: 400, code: 'invalid_input' });
    });
  }
});
