import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { countColumns, slicePicture, type Pixels } from './slice-picture.ts';

/** A picture with lines of text: `isInk` says where. */
function createPicture(width: number, height: number, isInk: (x: number, y: number) => boolean): Pixels {
  const data = new Uint8ClampedArray(width * height * 4).fill(255);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      if (isInk(x, y)) data.fill(0, (y * width + x) * 4, (y * width + x) * 4 + 3);
  return { data, width, height };
}

/** Letters of 20 rows, ten rows apart, from edge to edge. */
const isLetter = (x: number, y: number): boolean => y % 30 < 20 && x % 3 === 0;

describe('slicePicture', () => {
  it('keeps every row once, in parts that fit, and cuts between lines', () => {
    const { left, width, slices } = slicePicture(createPicture(100, 1000, isLetter));
    assert.deepEqual([left, width], [0, 100]);
    assert.equal(
      slices.reduce((end, { top, height }) => (assert.equal(top, end), top + height), 0),
      1000,
    );
    assert.ok(slices.length > 2 && slices.every(({ height }) => height <= 360));
    for (const { top } of slices.slice(1)) assert.ok(top % 30 >= 20, `cuts through letters at ${top}`);
  });

  it('leaves out blank sides, and nothing of a picture that is blank', () => {
    const framed = createPicture(300, 50, (x, y) => x >= 40 && x < 200 && isLetter(x - 40, y));
    assert.deepEqual(slicePicture(framed), { left: 40, width: 160, slices: [{ top: 0, height: 50 }] });
    const blank = slicePicture(createPicture(30, 20, () => false));
    assert.deepEqual(blank, { left: 0, width: 30, slices: [{ top: 0, height: 20 }] });
  });

  it('cuts anyway where there is no place', () => {
    const { slices } = slicePicture(createPicture(50, 400, (x) => x % 2 === 0));
    assert.equal(
      slices.at(-1)?.top,
      slices.slice(0, -1).reduce((sum, { height }) => sum + height, 0),
    );
    assert.ok(slices.length > 1);
  });
});

it('countColumns puts phones side by side, and leaves a desktop its sheet', () => {
  assert.deepEqual([375, 640, 1280].map(countColumns), [3, 2, 1]);
});
