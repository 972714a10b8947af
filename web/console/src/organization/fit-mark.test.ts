import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fitInto } from './fit-mark.ts';

it('a picture keeps its proportions in the square of a mark, and stands in its middle', () => {
  assert.deepEqual(fitInto(256, { width: 1000, height: 500 }), { x: 0, y: 64, width: 256, height: 128 });
  assert.deepEqual(fitInto(256, { width: 16, height: 16 }), { x: 0, y: 0, width: 256, height: 256 });
  assert.deepEqual(fitInto(100, { width: 10, height: 4000 }), { x: 49.5, y: 0, width: 1, height: 100 });
});
