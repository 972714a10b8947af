import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createInSteps } from './made-in-steps.ts';

function* countToThree(steps: number[]): Generator<void, string> {
  for (const step of [1, 2, 3]) {
    steps.push(step);
    yield;
  }
  return 'done';
}

describe('something made in steps', () => {
  it('lets others have a turn between its steps', async () => {
    const steps: number[] = [];
    const made = createInSteps(() => countToThree(steps));
    const seen: number[] = [];
    let isPrepared = false;
    const look = (): void => {
      seen.push(steps.length);
      if (!isPrepared) setImmediate(look);
    };
    setImmediate(look);
    await made.prepare();
    isPrepared = true;
    assert.ok(seen.includes(1) && seen.includes(2), seen.join());
    assert.equal(made.get(), 'done');
    assert.deepEqual(steps, [1, 2, 3]);
  });

  it('is finished at once, and made only once, for who asks while it is being prepared', async () => {
    const steps: number[] = [];
    const made = createInSteps(() => countToThree(steps));
    const prepared = made.prepare();
    assert.deepEqual(steps, [1]);
    assert.equal(made.get(), 'done');
    await prepared;
    assert.deepEqual(steps, [1, 2, 3]);
  });

  it('is made anew after a step that failed', async () => {
    let attempts = 0;
    const made = createInSteps<number>(function* () {
      yield;
      if (++attempts < 3) throw new Error(`fault ${attempts}`);
      return attempts;
    });
    await assert.rejects(made.prepare(), /fault 1/);
    assert.throws(() => made.get(), /fault 2/);
    assert.equal(made.get(), 3);
  });
});
