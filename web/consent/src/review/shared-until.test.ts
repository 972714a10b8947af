import assert from 'node:assert/strict';
import { it } from 'node:test';
import { en } from '../words/en.ts';
import { formatTerm } from './shared-until.ts';

const now = new Date('2026-11-30T21:08:00Z');
const previous = (expiresAt: string, inForce = true) => ({
  inForce,
  decidedAt: '2026-11-30T20:10:00Z',
  expiresAt,
});

const format = (
  shared: ReturnType<typeof previous> | null,
  duration: 'once' | '30-days' | 'as-now',
): string => {
  const subject = { client: { name: 'Claude' }, organization: { name: 'Lakeside' }, previous: shared };
  const choices = { duration, day: '', sharedUntil: shared?.expiresAt ?? null };
  return formatTerm(subject, { choices, now }, { words: en, language: 'en' });
};

it('gives the time of an hour, and beside it until when the organization goes on', () => {
  assert.match(format(null, 'once'), /^For one hour, until \d+:08\s[AP]M$/);
  assert.match(
    format(previous('2027-02-10T12:00:00Z'), 'once'),
    /^For one hour, until \d+:08\s[AP]M\. Lakeside: until February \d+, 2027, as now$/,
  );
  assert.match(
    format(previous('2027-02-10T12:00:00Z'), '30-days'),
    /^December \d+, 2026\. Lakeside: until February \d+, 2027, as now$/,
  );
});

it('gives one end where that of what is shared is no later, or over', () => {
  assert.match(format(previous('2027-02-10T12:00:00Z'), 'as-now'), /^February \d+, 2027$/);
  assert.match(
    format(previous('2027-02-10T12:00:00Z', false), 'once'),
    /^For one hour, until \d+:08\s[AP]M$/,
  );
  assert.match(format(previous('2026-11-30T21:10:00Z'), 'as-now'), /^November 30, 2026 at \d+:10\s[AP]M$/);
});
