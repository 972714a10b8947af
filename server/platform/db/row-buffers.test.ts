import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRowBuffers } from './row-buffers.ts';

const LARGE = 500_000;

describe('the memory of rows', () => {
  it('is used again once it was released, and never by two rows at a time', () => {
    const buffers = createRowBuffers();
    const [one, other] = [buffers.take(LARGE), buffers.take(LARGE)];
    assert.notEqual(one.bytes.buffer, other.bytes.buffer);
    one.release();
    // Who releases twice gives away nothing that is in use.
    one.release();
    const [third, fourth] = [buffers.take(LARGE / 2), buffers.take(LARGE)];
    assert.equal(third.bytes.buffer, one.bytes.buffer);
    assert.equal(third.bytes.length, LARGE / 2);
    one.release();
    assert.equal(
      new Set([one, other, third, fourth, buffers.take(LARGE)].map(({ bytes }) => bytes.buffer)).size,
      4,
    );
  });

  it('is its own for a row that is short or longer than a chunk', () => {
    const buffers = createRowBuffers();
    for (const bytes of [0, 10, 8 * 1024 * 1024]) {
      const row = buffers.take(bytes);
      assert.equal(row.bytes.length, bytes);
      row.release();
    }
    assert.equal(buffers.take(LARGE).bytes.length, LARGE);
  });
});
