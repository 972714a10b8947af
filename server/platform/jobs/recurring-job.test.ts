import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Reschedule } from './job-kind.ts';
import { createRecurringJob } from './recurring-job.ts';

const never = new AbortController().signal;

describe('a recurring job', () => {
  it('reschedules itself after its interval, or after as long as the work returns', async () => {
    for (const [said, expected] of [
      [undefined, 2000],
      [6000, 6000],
      [0, 0],
    ] as const) {
      const job = createRecurringJob('look', 2000, async () => said);
      await assert.rejects(
        job.run({}, never),
        (error) => error instanceof Reschedule && error.ms === expected,
      );
    }
  });

  it('is tried again after its interval when it fails, and never becomes a dead letter', async () => {
    const job = createRecurringJob('look', 2000, () => Promise.reject(new TypeError('no')));
    await assert.rejects(job.run({}, never), TypeError);
    assert.equal(job.delaySeconds(1_000_000), 2);
    assert.ok(job.maxAttempts > 1e15);
  });
});
