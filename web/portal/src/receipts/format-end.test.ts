import assert from 'node:assert/strict';
import { it } from 'node:test';
import { en } from '../words/en.ts';
import { formatEnd } from './format-end.ts';

const END = {
  expiry: '2027-03-10T00:00:00.000Z',
  since: '2026-12-01T22:00:00.000Z',
  appName: 'Claude',
  organization: 'Lakeside',
};
const format = (limits: { expiry: string } | undefined) =>
  formatEnd({ ...END, limits }, { words: en, language: 'en' });

it('gives the end that was chosen for an app, and the later one of the consent beside it', () => {
  assert.match(
    format({ expiry: '2026-12-20T00:00:00.000Z' }),
    /^December \d+, 2026 for Claude, March \d+, 2027 for Lakeside$/,
  );
});

it('gives one end where the app has no other', () => {
  for (const limits of [undefined, { expiry: END.expiry }]) assert.match(format(limits), /^March \d+, 2027$/);
});

it('gives the time of what is given for one hour', () => {
  const hour = '2026-12-01T23:00:00.000Z';
  assert.match(
    format({ expiry: hour }),
    /^December \d, 2026 at \d+:\d\d\s[AP]M \(one hour\) for Claude, March \d+, 2027 for Lakeside$/,
  );
  assert.match(
    formatEnd({ ...END, expiry: hour, limits: undefined }, { words: en, language: 'en' }),
    /^December \d, 2026 at \d+:\d\d\s[AP]M \(one hour\)$/,
  );
});
