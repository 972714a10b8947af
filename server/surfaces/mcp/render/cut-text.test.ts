import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { countCharacters, cutText } from './cut-text.ts';

describe('a part of a text', () => {
  it('ends where the next one begins, whatever characters it has', () => {
    for (const text of ['', 'plain words', 'a😀b👩‍⚕️c', '😀'.repeat(7), 'half \uD83D pair']) {
      const parts: string[] = [];
      for (let from = 0; ;) {
        const part = cutText(text, 3, from);
        parts.push(part.text);
        assert.equal(part.end + part.rest, countCharacters(text));
        if (part.rest === 0) break;
        from = part.end;
      }
      assert.equal(parts.join(''), text);
    }
  });

  it('counts a character beyond the basic plane once', () => {
    assert.deepEqual(cutText('😀😀😀😀', 2, 1), { text: '😀😀', end: 3, rest: 1 });
  });

  it('is nothing beyond the end', () => {
    assert.deepEqual(cutText('abc', 5, 9), { text: '', end: 3, rest: 0 });
    assert.deepEqual(cutText('a😀', 5, 9), { text: '', end: 2, rest: 0 });
  });
});
