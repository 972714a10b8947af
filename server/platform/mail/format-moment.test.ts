import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatMoment } from './format-moment.ts';

const AT = new Date('2025-11-30T06:17:00Z');

describe('formatMoment', () => {
  it('says the day of the time zone that it names', () => {
    const format = (language: string, timeZone: string) =>
      formatMoment(AT, { language, timeZone }).replaceAll(/\s/gu, ' ');
    assert.equal(format('en', 'UTC'), 'November 30, 2025 at 6:17 AM UTC');
    assert.equal(format('en', 'America/Los_Angeles'), 'November 29, 2025 at 10:17 PM PST');
    assert.equal(format('es', 'America/Los_Angeles'), '29 de noviembre de 2025 a las 22:17 GMT-8');
  });
});
