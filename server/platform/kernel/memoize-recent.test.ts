import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { memoizeRecent } from './memoize-recent.ts';

describe('memoizeRecent', () => {
  it('calls the function once for each of the last objects, and again for one that gave way', () => {
    const made: string[] = [];
    const describeRecent = memoizeRecent(2, ({ name }: { name: string }) => {
      made.push(name);
      return `the ${name}`;
    });
    const [one, two, three] = ['one', 'two', 'three'].map((name) => ({ name })) as [
      { name: string },
      { name: string },
      { name: string },
    ];
    assert.deepEqual([one, two, one, two].map(describeRecent), ['the one', 'the two', 'the one', 'the two']);
    assert.deepEqual(made, ['one', 'two']);
    assert.deepEqual([three, two, one].map(describeRecent), ['the three', 'the two', 'the one']);
    assert.deepEqual(made, ['one', 'two', 'three', 'one'], 'the one of longest ago gave way');
  });
});
