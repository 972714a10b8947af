import assert from 'node:assert/strict';
import { setFlagsFromString } from 'node:v8';
import { describe, it } from 'node:test';
import { runInNewContext } from 'node:vm';
import { createOpenItems } from './open-items.ts';

describe('items that are under way', () => {
  it('are those that were added and not taken out', () => {
    const items = createOpenItems<string>();
    const [removeOne, removeTwo] = [items.add('one'), items.add('two')];
    items.add('three');
    removeTwo();
    assert.deepEqual([...items], ['one', 'three']);
    assert.equal(items.size, 2);
    items.add('four');
    removeTwo();
    assert.deepEqual(
      [...items].toSorted(),
      ['four', 'one', 'three'],
      'taken out once, not who has the slot now',
    );
    removeOne();
    assert.equal(items.size, 2);
  });

  it('can be taken out while they are gone through', () => {
    const items = createOpenItems<() => void>();
    const called: string[] = [];
    for (const name of ['one', 'two', 'three']) {
      const remove = items.add(() => {
        called.push(name);
        remove();
      });
    }
    for (const end of items) end();
    assert.deepEqual(called, ['one', 'two', 'three']);
    assert.equal(items.size, 0);
  });

  it('leave nothing for a collection of the whole heap when they come and go', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as (options?: { type: 'minor' | 'major' }) => void;
    const items = createOpenItems<object>();
    items.add({});
    // The collection itself is old from now on.
    collect();
    const before = process.memoryUsage().heapUsed;
    const open: (() => void)[] = [];
    for (let count = 0; count < 5000; count++) {
      open.push(items.add({ graph: Array.from({ length: 1000 }, () => count) }));
      if (open.length > 8) open.shift()?.();
      if (count % 100 === 0) collect({ type: 'minor' });
    }
    const grown = process.memoryUsage().heapUsed - before;
    assert.ok(grown < 5_000_000, `${grown} of 40,000,000 bytes are still there`);
  });
});
