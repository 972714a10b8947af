import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import {
  createConcurrencyWindows,
  INITIAL_WINDOW,
  MIN_WINDOW,
  MAX_CONCURRENT_SENDS,
  MAX_WINDOW,
  SlotTimeout,
  type EndpointFeedback,
  type ConcurrencyWindows,
} from './concurrency-windows.ts';

describe('the concurrency window of an endpoint', () => {
  let windows: ConcurrencyWindows;
  beforeEach(() => void (windows = createConcurrencyWindows()));

  const free = (id: string, nowMs = 0): number | undefined => {
    const known = windows.getFreeSlots(nowMs);
    return known.free[known.webhookIds.indexOf(id)];
  };
  const take = (id: string, times: number, rate: number | null = null): void => {
    for (let time = 0; time < times; time++) windows.onClaimed(id, rate, 0);
  };
  const end = (id: string, times: number, answer: EndpointFeedback): void => {
    for (let time = 0; time < times; time++) windows.onSettled(id, answer);
  };

  it('begins small and grows with each acknowledged attempt', () => {
    take('a', INITIAL_WINDOW);
    assert.equal(free('a'), 0);
    end('a', INITIAL_WINDOW, 'quick');
    assert.equal(free('a'), 2 * INITIAL_WINDOW);
  });

  it('has an upper limit', () => {
    for (let time = 0; time < 1000; time++) {
      take('a', 1);
      end('a', 1, 'quick');
    }
    assert.equal(free('a'), MAX_WINDOW);
  });

  it('falls to the number of concurrent sends when answers are slow', () => {
    for (let time = 0; time < 60; time++) {
      take('a', 1);
      end('a', 1, 'quick');
    }
    take('a', 5);
    end('a', 5, 'slow');
    assert.ok((free('a') ?? 0) <= MAX_CONCURRENT_SENDS + 1);
    assert.ok((free('a') ?? 0) >= MAX_CONCURRENT_SENDS / 2);
  });

  it('falls to the minimum when the endpoint fails', () => {
    for (let time = 0; time < 100; time++) {
      take('a', 1);
      end('a', 1, 'quick');
    }
    take('a', 10);
    end('a', 10, 'failed');
    assert.equal(free('a'), MIN_WINDOW);
  });

  it('ignores released attempts and other endpoints', () => {
    take('a', 3);
    take('b', 1);
    end('a', 3, 'unknown');
    end('b', 1, 'failed');
    assert.equal(free('a'), INITIAL_WINDOW);
    assert.equal(free('b'), MIN_WINDOW);
  });

  it('respects the rate limit, a second’s worth at once', () => {
    take('a', 3, 3);
    end('a', 3, 'quick');
    assert.equal(free('a', 0), 0);
    assert.equal(free('a', 400), 1);
    assert.equal(free('a', 60_000), 3);
    assert.equal(free('a', 60_000), 3);
  });

  it('takes its share of the rate limit as one of several processes, and one at a time at least', () => {
    windows = createConcurrencyWindows(4);
    take('a', 1, 8);
    assert.equal(free('a', 0), 1);
    assert.equal(free('a', 60_000), 2);
    take('b', 1, 2);
    assert.equal(free('b', 1000), 0);
    assert.equal(free('b', 2000), 1);
    assert.equal(free('b', 60_000), 1);
  });

  it('limits concurrent sends; other deliveries wait for a slot', async () => {
    take('a', MAX_CONCURRENT_SENDS + 2);
    let most = 0;
    let now = 0;
    const order: number[] = [];
    const work = (index: number) =>
      windows.send('a', async () => {
        most = Math.max(most, ++now);
        await new Promise((resolve) => setImmediate(resolve));
        order.push(index);
        now--;
      });
    await Promise.all(Array.from({ length: MAX_CONCURRENT_SENDS + 2 }, (_, index) => work(index)));
    assert.equal(most, MAX_CONCURRENT_SENDS);
    assert.deepEqual(
      order,
      [...order].sort((one, other) => one - other),
    );
    await assert.rejects(windows.send('a', () => Promise.reject(new Error('in vain'))));
    await windows.send('a', async () => {});
  });

  it('abandons waiting when the endpoint fails, or after a timeout', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    take('a', MAX_CONCURRENT_SENDS + 2);
    const hanging = Promise.withResolvers<void>();
    const sent = Array.from({ length: MAX_CONCURRENT_SENDS }, () => windows.send('a', () => hanging.promise));
    const first = assert.rejects(
      windows.send('a', () => assert.fail('sent')),
      SlotTimeout,
    );
    windows.onSettled('a', 'failed');
    await first;
    const late = assert.rejects(
      windows.send('a', () => assert.fail('sent')),
      SlotTimeout,
    );
    t.mock.timers.tick(500);
    await late;
    hanging.resolve();
    await Promise.all(sent);
    assert.equal(await windows.send('a', async () => 'sent'), 'sent');
  });
});
