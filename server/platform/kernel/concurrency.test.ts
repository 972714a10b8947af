import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createCoalescer } from './coalesce.ts';
import { createGroupCommit } from './group-commit.ts';
import { createKeyedQueue } from './keyed-queue.ts';
import { createSemaphore } from './semaphore.ts';

/** An action that ends when the test says so. */
function createGate(): { pass(): void; fail(error: Error): void; wait(): Promise<void> } {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  return { pass: () => resolve(), fail: reject, wait: () => promise };
}

const runMicrotasks = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

describe('a semaphore', () => {
  it('runs so many actions at a time, in the order they came', async () => {
    const semaphore = createSemaphore(2);
    const gates = Array.from({ length: 4 }, createGate);
    const started: number[] = [];
    const all = gates.map((gate, index) =>
      semaphore.run(async () => {
        started.push(index);
        await gate.wait();
        return index;
      }),
    );
    await runMicrotasks();
    assert.deepEqual(started, [0, 1]);
    gates[1]?.pass();
    await runMicrotasks();
    assert.deepEqual(started, [0, 1, 2]);
    gates.forEach((gate) => gate.pass());
    assert.deepEqual(await Promise.all(all), [0, 1, 2, 3]);
  });

  it('gives the permit of an action that fails to the next one', async () => {
    const semaphore = createSemaphore(1);
    const failing = semaphore.run(() => Promise.reject(new Error('no')));
    const next = semaphore.run(async () => 'done');
    await assert.rejects(failing, /no/);
    assert.equal(await next, 'done');
  });

  it('rejects an action whose signal is aborted while it waits, and keeps no permit for it', async () => {
    const semaphore = createSemaphore(1);
    const gate = createGate();
    const running = semaphore.run(gate.wait);
    const stop = new AbortController();
    const waiting = semaphore.run(() => assert.fail('it ran'), stop.signal);
    stop.abort(new Error('enough'));
    await assert.rejects(waiting, /enough/);
    await assert.rejects(
      semaphore.run(() => assert.fail('it ran'), stop.signal),
      /enough/,
    );
    gate.pass();
    await running;
    assert.equal(await semaphore.run(async () => 1), 1);
  });
});

describe('a group commit', () => {
  it('commits alone what comes alone, and together what comes while a commit is under way', async () => {
    const gate = createGate();
    const groups: number[][] = [];
    const add = createGroupCommit<number>(async (items) => {
      if (groups.push(items) === 1) await gate.wait();
    });
    const first = add(1);
    await runMicrotasks();
    const others = [add(2), add(3)];
    await runMicrotasks();
    assert.deepEqual(groups, [[1]]);
    gate.pass();
    await Promise.all([first, ...others]);
    assert.deepEqual(groups, [[1], [2, 3]]);
  });

  it('rejects the items of a failed group only', async () => {
    const add = createGroupCommit<number>(async ([item]) => {
      if (item === 1) throw new Error('no');
    });
    const first = add(1);
    await assert.rejects(first, /no/);
    await add(2);
  });

  it('splits groups at the most items, and gathers items for a while', async () => {
    const groups: number[][] = [];
    const add = createGroupCommit<number>(async (items) => void groups.push(items), {
      delayMs: 200,
      maxItems: 2,
    });
    const all = [add(1)];
    await runMicrotasks();
    await Promise.all([...all, add(2), add(3)]);
    assert.deepEqual(groups, [[1, 2], [3]]);
  });
});

describe('a coalescer', () => {
  it('makes one call for all who ask while it is under way, and another one later', async () => {
    const calls: string[] = [];
    const gate = createGate();
    const { run, isRunning } = createCoalescer(async (key) => {
      const call = calls.push(key);
      await gate.wait();
      return call;
    });
    const results = [run('a'), run('a'), run('b')];
    assert.ok(isRunning('a'));
    gate.pass();
    assert.deepEqual(await Promise.all(results), [1, 1, 2]);
    assert.ok(!isRunning('a'));
    assert.equal(await run('a'), 3);
  });

  it('shares a failure and calls again afterwards', async () => {
    let calls = 0;
    const { run } = createCoalescer(async () => {
      if (++calls === 1) throw new Error('no');
      return calls;
    });
    const results = [run(''), run('')];
    for (const each of results) await assert.rejects(each, /no/);
    assert.equal(await run(''), 2);
  });
});

describe('a keyed queue', () => {
  it('runs the actions of a key one after another, and those of other keys beside them', async () => {
    const queue = createKeyedQueue();
    const gate = createGate();
    const started: string[] = [];
    const start = (name: string, wait: () => Promise<void>) => async (): Promise<void> => {
      started.push(name);
      await wait();
    };
    const first = queue('a', start('a1', gate.wait));
    const second = queue(
      'a',
      start('a2', async () => {}),
    );
    await queue(
      'b',
      start('b1', async () => {}),
    );
    assert.deepEqual(started, ['a1', 'b1']);
    gate.fail(new Error('no'));
    await assert.rejects(first, /no/);
    await second;
    assert.deepEqual(started, ['a1', 'b1', 'a2']);
  });
});
