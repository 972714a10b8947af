import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { StoreError } from '../db/store-error.ts';
import { createClockGuard } from './clock-guard.ts';

/** A guard whose node and store have the same time until one of them is moved, and time that passes when the test says so. */
function openGuard() {
  const time = { ms: 0, node: 0, store: 0 };
  const faults: string[] = [];
  let asked = 0;
  let failure: Error | null = null;
  const base = Date.UTC(2026, 0, 1);
  const query = async (): Promise<unknown[]> => {
    asked++;
    if (failure) throw failure;
    return [{ now: new Date(base + time.ms + time.store) }];
  };
  const mayClaim = createClockGuard({
    db: { query } as never,
    clock: { now: () => new Date(base + time.ms + time.node) },
    onError: ({ message }) => void faults.push(message),
    readMs: () => time.ms,
  });
  return {
    time,
    faults,
    mayClaim,
    countAsked: () => asked,
    fail: (error: Error | null) => void (failure = error),
  };
}

describe('case 554: the guard of background work', () => {
  it('asks the store once, and again after ten seconds', async () => {
    const { time, mayClaim, countAsked } = openGuard();
    assert.deepEqual(await Promise.all([mayClaim(), mayClaim()]), [true, true]);
    time.ms += 9_000;
    assert.equal(await mayClaim(), true);
    assert.equal(countAsked(), 1);
    time.ms += 1_000;
    assert.equal(await mayClaim(), true);
    assert.equal(countAsked(), 2);
  });

  it('holds work back while either clock is off, says so once, and lets it on when they agree', async () => {
    for (const which of ['node', 'store'] as const)
      for (const off of [-7_200_000, 2_500, 34_560_000_000]) {
        const { time, faults, mayClaim } = openGuard();
        time[which] = off;
        assert.equal(await mayClaim(), false);
        time.ms += 10_000;
        assert.equal(await mayClaim(), false);
        assert.equal(faults.length, 1);
        time[which] = 0;
        time.ms += 10_000;
        assert.equal(await mayClaim(), true);
        time[which] = off;
        time.ms += 10_000;
        assert.equal(await mayClaim(), false);
        assert.equal(faults.length, 2);
      }
  });

  it('notices at once that the clock of the node was set', async () => {
    const { time, mayClaim } = openGuard();
    assert.equal(await mayClaim(), true);
    time.node = 3_600_000;
    assert.equal(await mayClaim(), false);
    time.node = 0;
    assert.equal(await mayClaim(), true);
  });

  it('fails as the store does, and asks again', async () => {
    const { mayClaim, fail } = openGuard();
    const away = new StoreError('unchanged', new Error('no answer'));
    fail(away);
    await assert.rejects(mayClaim(), away);
    fail(null);
    assert.equal(await mayClaim(), true);
  });
});
