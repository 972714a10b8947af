import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { packLists, packTexts, packWords } from './packed.ts';

describe('what is packed', () => {
  it('is got back by its index: texts of any alphabet, and lists', () => {
    const texts = ['', 'Fuß', 'a', '', 'лёгкое', 'a'];
    const packed = packTexts(texts);
    assert.deepEqual(
      Array.from({ length: packed.size }, (_, index) => packed.get(index)),
      texts,
    );
    const lists = packLists([[3, 1], [], new Set([7])]);
    assert.deepEqual(
      [0, 1, 2].map((index) => [...lists.get(index)]),
      [[3, 1], [], [7]],
    );
  });

  it('is found by the word, and no part of one is', () => {
    const words = Array.from({ length: 500 }, (_, index) => `w${index.toString(36)}`);
    const packed = packWords([...words, 'é']);
    for (const [index, word] of [...words, 'é'].entries()) assert.equal(packed.indexOf(word), index, word);
    for (const word of ['', 'w', 'w0w1', 'e']) assert.equal(packed.indexOf(word), -1, word);
    assert.equal(packWords([]).indexOf('w'), -1);
  });
});
