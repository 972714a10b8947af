import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate as settle } from 'node:timers/promises';
import { raw } from '../db/sql.ts';
import { createWorkerPool } from './worker-pool.ts';

/** A pool whose items end at once, and the milliseconds between its claims by timers that the test moves. */
function openPool(t: TestContext, { looksAgain }: { looksAgain: boolean }) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let sinceClaim = 0;
  const waits: number[] = [];
  const due: string[] = [];
  const pool = createWorkerPool<string>(
    {
      buildDueCondition: () => raw('false'),
      mayLeaveDue: true,
      looksAgain,
      claim() {
        waits.push(sinceClaim);
        sinceClaim = 0;
        return Promise.resolve(due.splice(0));
      },
      attempt: () => Promise.resolve(),
      release: () => Promise.resolve(),
      releaseAll: () => Promise.resolve(),
    },
    { concurrency: 8, onError: assert.fail },
  );
  return {
    pool,
    due,
    /** The claim after the end of an item waits on a clock of its own. */
    async untilClaimed(count: number): Promise<void> {
      while (waits.length < count) await settle();
      waits.length = 0;
    },
    async waitsWithin(ms: number): Promise<number[]> {
      for (let tick = 0; tick < ms; tick++) {
        sinceClaim++;
        t.mock.timers.tick(1);
        await settle();
      }
      return waits.splice(0);
    },
  };
}

describe('a worker pool', () => {
  it('looks again soon after it had work that other processes may have more of, and less and less often', async (t) => {
    const { pool, due, untilClaimed, waitsWithin } = openPool(t, { looksAgain: true });
    await pool.begin(false);
    await untilClaimed(1);
    assert.deepEqual(await waitsWithin(3000), [], 'it had no work yet');
    due.push('first');
    pool.wake();
    await untilClaimed(2);
    assert.deepEqual(await waitsWithin(3000), [10, 20, 40, 80, 160, 320, 640]);
    due.push('second');
    pool.wake();
    await untilClaimed(2);
    due.push('of another process');
    assert.deepEqual((await waitsWithin(10))[0], 10, 'nobody woke it');
    assert.deepEqual(due, []);
    await pool.stop();
  });

  it('waits to be woken where all work is of its own process, and when it has stopped', async (t) => {
    for (const looksAgain of [false, true]) {
      const { pool, due, untilClaimed, waitsWithin } = openPool(t, { looksAgain });
      await pool.begin(true);
      due.push('first');
      pool.wake();
      await untilClaimed(3);
      if (looksAgain) await pool.stop();
      assert.deepEqual(await waitsWithin(3000), []);
      t.mock.timers.reset();
    }
  });
});
