import assert from 'node:assert/strict';
import fs from 'node:fs';
import { describe, it } from 'node:test';
import { RETRY_DELAYS } from '../../../../server/surfaces/webhooks/delivery/retry-schedule.ts';
import { ATTEMPT_SECONDS, placeAttempts, placeOnScale, SCALE_SECONDS } from './attempt-scale.ts';
import { parseCodeSamples } from './code-samples.ts';
import { listDays } from './stats.ts';

const START = Date.parse('2026-11-20T09:00:00Z');
const at = (seconds: number): string => new Date(START + seconds * 1000).toISOString();

describe('the scale of attempts', () => {
  it('gives the first minutes as much width as the last hours', () => {
    assert.deepEqual([0, SCALE_SECONDS, SCALE_SECONDS * 9].map(placeOnScale), [0, 1, 1]);
    assert.ok(placeOnScale(300) > 0.45 && placeOnScale(300) < 0.55);
  });

  it('shows the attempts since a delivery was sent again, and the next one', () => {
    const log = [
      { attemptedAt: at(5), delivered: false },
      { attemptedAt: at(0), delivered: false },
      { attemptedAt: at(-9000), delivered: false },
    ];
    const points = placeAttempts(log, { attempts: 2, nextAttemptAt: at(300) });
    assert.deepEqual(
      points.map(({ kind }) => kind),
      ['failed', 'failed', 'next', ...Array.from({ length: 5 }, () => 'coming')],
    );
    assert.equal(points.at(-1)?.place, 1);
    assert.deepEqual(points[0]?.place, 0);
    assert.deepEqual(placeAttempts([], { attempts: 0, nextAttemptAt: at(0) })[0], { kind: 'next', place: 0 });
    assert.deepEqual(placeAttempts(log, { attempts: 2, nextAttemptAt: null }).length, 2);
    const sums = RETRY_DELAYS.map((_delay, index) =>
      RETRY_DELAYS.slice(0, index + 1).reduce((sum, delay) => sum + delay, 0),
    );
    assert.deepEqual(ATTEMPT_SECONDS, [0, ...sums]);
  });
});

describe('the strip of days', () => {
  it('says of each day whether all, some or nothing arrived, and ends today', () => {
    const none = { delivered: 0, pending: 0, retrying: 0, exhausted: 0, dropped: 0 };
    const days = listDays(
      [
        { at: '2026-11-18T00:00:00.000Z', ...none, delivered: 2, exhausted: 1 },
        { at: '2026-11-19T00:00:00.000Z', ...none, dropped: 1 },
        { at: '2026-11-20T00:00:00.000Z', ...none, delivered: 1 },
      ],
      { count: 4, now: START, zone: 'UTC' },
    );
    assert.deepEqual(days, ['none', 'some', 'nothing', 'all']);
  });
});

describe('the code to paste', () => {
  it('is that of the guide, in at least six languages', () => {
    const guide = fs.readFileSync(new URL('../../../../docs/webhooks.md', import.meta.url), 'utf8');
    const samples = parseCodeSamples(guide);
    assert.ok(new Set(samples.map(({ name }) => name.split(' ')[0])).size >= 6);
    assert.equal(new Set(samples.map(({ name }) => name)).size, samples.length);
    assert.ok(samples.every(({ code }) => guide.includes(code)));
  });
});
