import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { endOfConsent } from './consent-duration.ts';

const now = new Date('2026-03-01T18:30:00Z');

describe('a consent that is given', () => {
  for (const [duration, end] of [
    ['once', '2026-03-02T18:30:00.000Z'],
    ['30-days', '2026-03-31T18:30:00.000Z'],
    ['90-days', '2026-05-30T18:30:00.000Z'],
    ['1-year', '2027-03-01T18:30:00.000Z'],
    [{ until: '2026-03-01' }, '2026-03-02T00:00:00.000Z'],
    [{ until: '2026-12-31' }, '2027-01-01T00:00:00.000Z'],
    [{ until: '2027-02-28' }, '2027-03-01T00:00:00.000Z'],
    // The last day of the year ends after it.
    [{ until: '2027-03-01' }, '2027-03-01T18:30:00.000Z'],
  ] as const) {
    it(`${JSON.stringify(duration)} ends at ${end}`, () => {
      assert.equal(endOfConsent(duration, now).toISOString(), end);
    });
  }

  for (const until of ['2026-02-28', '1970-01-01', '2027-03-02', '9999-12-31']) {
    it(`until ${until} is refused`, () => {
      assert.throws(() => endOfConsent({ until }, now), { status: 400, code: 'invalid_input' });
    });
  }
});
