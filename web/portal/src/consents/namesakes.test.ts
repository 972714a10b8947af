import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { MyConsent as Consent } from '../../../../contract/account/my-consents.ts';
import { en } from '../words/en.ts';
import { formatAppName, formatNamesakes } from './namesakes.ts';

const app = (clientId: string, more: Partial<Consent['apps'][number]> = {}): Consent['apps'][number] => ({
  name: 'Helper',
  verifiedHost: null,
  since: '2026-03-01T10:00:00Z',
  lastReadAt: null,
  connected: true,
  clientId,
  grant: null,
  ...more,
});

const context = (...apps: Consent['apps']) => ({
  words: en,
  language: 'en' as const,
  consents: [{ status: 'active', apps } as Partial<Consent> as Consent],
});

it('gives two apps of one name different names, and says that the other one goes on', () => {
  const first = app('1');
  const all = context(first, app('2', { name: ' HELPER', lastReadAt: '2026-03-02T10:00:00Z' }));
  assert.match(formatAppName(first, all), /^Helper \(connected on .*2026/);
  assert.match(
    formatNamesakes(first, all) ?? '',
    /^Another app that calls itself Helper can still read your record: the one connected on .* last read on /,
  );
});

it('calls an app by its name alone where no other one that is connected has it', () => {
  const first = app('1');
  for (const other of [first, app('2', { connected: false }), app('3', { name: 'Claude' })]) {
    assert.equal(formatAppName(first, context(first, other)), 'Helper');
    assert.equal(formatNamesakes(first, context(first, other)), null);
  }
});
