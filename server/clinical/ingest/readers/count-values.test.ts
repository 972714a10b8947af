import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hasMoreValues } from './count-values.ts';

const most = (text: string): number => {
  let count = 0;
  while (hasMoreValues(Buffer.from(text), count)) count++;
  return count;
};

describe('values of a JSON text', () => {
  it('are counted by the byte before them', () => {
    assert.equal(most('{"a":1,"b":[1,2,3]}'), 5);
    assert.equal(most('1'), 0);
  });

  it('are not counted in strings, however those end', () => {
    assert.equal(most(String.raw`{"a":"1,2,[{","b":"\",[\\","c":"\\"}`), 3);
    assert.equal(most('{"a":"cut off,,,,'), 1);
    assert.equal(most('{"a":"cut off\\'), 1);
  });

  it('are at most one per two bytes', () => {
    assert.equal(hasMoreValues(Buffer.from('[[[['), 2), false);
    assert.equal(hasMoreValues(Buffer.from('[[[[['), 2), true);
  });
});
