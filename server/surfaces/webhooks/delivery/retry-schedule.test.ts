import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { scheduleRetry, RETRY_DELAYS } from './retry-schedule.ts';

const FAILED = new Date('2026-03-01T12:00:00Z');
const middle = (): number => 0.5;
const after = (ms: number): Date => new Date(FAILED.getTime() + ms);
const seconds = (at: Date | null): number | null => at && (at.getTime() - FAILED.getTime()) / 1000;

/** Returns the times of all retries, in seconds from the first failure, when attempts fail at once. */
function chain(random: () => number): number[] {
  const retries: number[] = [];
  let now = FAILED;
  for (let attempts = 1; ; attempts++) {
    const next = scheduleRetry(
      RETRY_DELAYS,
      { attempts, firstFailedAt: FAILED, now, retryAfterMs: null },
      random,
    );
    if (!next) return retries;
    retries.push(seconds(next) ?? 0);
    now = next;
  }
}

describe('the retries of a delivery', () => {
  it('are seven, the last one 33 hours and 5 seconds after the first failure', () => {
    assert.deepEqual(chain(middle), [5, 305, 2105, 9305, 27_305, 63_305, 33 * 3600 + 5]);
  });

  it('have a jitter of at most a tenth of the delay and a quarter of an hour, and the chain does not drift', () => {
    const [early, late] = [chain(() => 0), chain(() => 1 - 2 ** -53)];
    const planned = chain(middle);
    const most = [0.5, 30, 180, 720, 900, 900, 900];
    planned.forEach((at, index) => {
      assert.ok(Math.abs(at - (early[index] ?? 0) - (most[index] ?? 0)) < 0.01, `${index} early`);
      assert.ok(Math.abs((late[index] ?? 0) - at - (most[index] ?? 0)) < 0.01, `${index} late`);
    });
  });

  it('keep at least half their delay after a pause in sending', () => {
    const now = after(48 * 3600_000);
    const next = scheduleRetry(
      RETRY_DELAYS,
      { attempts: 4, firstFailedAt: FAILED, now, retryAfterMs: null },
      middle,
    );
    assert.equal((next?.getTime() ?? 0) - now.getTime(), 3600_000);
  });

  for (const [asked, expected] of [
    [60, 300],
    [400, 400],
    [600, 600],
    [86_400, 600],
  ] as const)
    it(`wait as Retry-After requests, up to twice the delay: ${asked} seconds requested, ${expected} waited`, () => {
      const now = after(5000);
      const failure = { attempts: 2, firstFailedAt: FAILED, now, retryAfterMs: asked * 1000 };
      const waited = (seconds(scheduleRetry(RETRY_DELAYS, failure, middle)) ?? 0) - 5;
      assert.equal(waited, expected);
    });
});
