import assert from 'node:assert/strict';
import { it } from 'node:test';
import { toTimeRange } from './time-range.ts';

const OPTIONS = { zone: 'America/New_York', now: Date.parse('2026-03-09T12:00:00Z') };

it('reads days of the zone to their end, times so long ago, moments, and nothing else', () => {
  assert.deepEqual(toTimeRange({ since: '2026-03-08', until: '2026-03-08' }, OPTIONS), {
    since: '2026-03-08T05:00:00.000Z',
    until: '2026-03-09T04:00:00.000Z',
  });
  assert.deepEqual(toTimeRange({ since: '-24h', until: '-30m' }, OPTIONS), {
    since: '2026-03-08T12:00:00.000Z',
    until: '2026-03-09T11:30:00.000Z',
  });
  assert.deepEqual(toTimeRange({ since: '2026-03-08T05:00:00+01:00' }, OPTIONS), {
    since: '2026-03-08T04:00:00.000Z',
  });
  assert.deepEqual(toTimeRange({ since: 'yesterday', until: '2026-13-01' }, OPTIONS), {});
});
