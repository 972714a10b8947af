import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRecent } from './recent.ts';

describe('a function that remembers the last objects', () => {
  it('makes each once, as long as it was not long ago', () => {
    const made: string[] = [];
    const describeRecent = createRecent(2, ({ name }: { name: string }) => {
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
