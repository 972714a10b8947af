import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { createNumberSeal } from './sealed-numbers.ts';

const secret = randomBytes(32);
const seal = createNumberSeal(secret);

describe('a number seal', () => {
  it('opens what any node with the secret sealed, in the same context and count only', () => {
    const numbers = [0, 1, 28, Number.MAX_SAFE_INTEGER, Date.now()];
    const text = seal.seal('after p1', numbers);
    assert.deepEqual(createNumberSeal(secret).open('after p1', text, 5), numbers);
    for (const [context, count] of [
      ['after p2', 5],
      ['state p1', 5],
      ['after p1', 4],
      ['after p1', 6],
    ] as const)
      assert.equal(seal.open(context, text, count), null);
    assert.equal(createNumberSeal(randomBytes(32)).open('after p1', text, 5), null);
  });

  it('gives equal texts for equal numbers, and texts of one length for all others', () => {
    assert.equal(seal.seal('after', [7]), seal.seal('after', [7]));
    const texts = Array.from({ length: 500 }, (_, number) => seal.seal('after', [number]));
    assert.equal(new Set(texts).size, 500);
    assert.deepEqual([...new Set(texts.map(({ length }) => length))], [48]);
    // Neither order nor distance shows: neighbours differ in about half of all bits of the nonce and of the number.
    assert.notDeepEqual(texts.toSorted(), texts);
  });

  it('opens nothing that was changed, cut or made up', () => {
    const bytes = Buffer.from(seal.seal('after', [28]), 'base64url');
    for (const at of bytes.keys()) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] as number) ^ 1;
      assert.equal(seal.open('after', changed.toString('base64url'), 1), null, String(at));
      assert.equal(seal.open('after', bytes.subarray(0, at).toString('base64url'), 1), null);
    }
    for (const text of [
      '',
      '28',
      '-1',
      'x',
      'é',
      `${bytes.toString('base64url')}=`,
      ` ${bytes.toString('base64url')}`,
    ])
      assert.equal(seal.open('after', text, 1), null, text);
  });
});
