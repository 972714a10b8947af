/** Pixels as a canvas gives them: four bytes each, row by row. */
export interface Pixels {
  data: Uint8ClampedArray;
  width: number;
  height: number;
}

export interface PictureSlices {
  /** What is left between blank sides. */
  left: number;
  width: number;
  slices: readonly { top: number; height: number }[];
}

/** The heights of a slice for its width, as one, two or three of them stand side by side on a sheet of A4 or Letter. */
const SHEETS = [
  { maxWidth: 480, columns: 3, ratio: 3.6 },
  { maxWidth: 860, columns: 2, ratio: 2.4 },
  { maxWidth: Infinity, columns: 1, ratio: 1.15 },
] as const;

const findSheet = (width: number) => SHEETS.find(({ maxWidth }) => width <= maxWidth) ?? SHEETS[2];

/** How many pictures of this width stand side by side, so that their letters can be read. */
export const countColumns = (width: number): 1 | 2 | 3 => findSheet(width).columns;

/** A cut is looked for in the last part of a slice. */
const SEARCHED = 0.15;

/** Cuts the picture of a long page into parts that fit on paper, between lines of text where there is a place. */
export function slicePicture(pixels: Pixels): PictureSlices {
  const { height } = pixels;
  const sides = findSides(pixels);
  const maxHeight = Math.floor(sides.width * findSheet(sides.width).ratio);
  const slices: { top: number; height: number }[] = [];
  for (let top = 0; top < height;) {
    const end = top + maxHeight >= height ? height : findCut(pixels, { top, maxHeight });
    slices.push({ top, height: end - top });
    top = end;
  }
  return { ...sides, slices };
}

/** Returns the row with the fewest changes of colour from left to right, the last of several. */
function findCut(pixels: Pixels, { top, maxHeight }: { top: number; maxHeight: number }): number {
  let best = { row: top + maxHeight, changes: Infinity };
  for (let row = top + maxHeight; row > top + maxHeight * (1 - SEARCHED); row--) {
    const changes = countChanges(pixels, row);
    if (changes < best.changes) best = { row, changes };
  }
  return best.row;
}

function countChanges({ data, width }: Pixels, row: number): number {
  let changes = 0;
  for (let at = row * width * 4 + 4; at < (row + 1) * width * 4; at++) {
    if (data[at] !== data[at - 4]) changes++;
  }
  return changes;
}

/** Finds what lies between columns that have the colour of the corner from top to bottom. */
function findSides(pixels: Pixels): { left: number; width: number } {
  const { width } = pixels;
  let left = 0;
  while (left < width && isBlank(pixels, left)) left++;
  if (left === width) return { left: 0, width };
  let right = width;
  while (isBlank(pixels, right - 1)) right--;
  return { left, width: right - left };
}

function isBlank({ data, width, height }: Pixels, column: number): boolean {
  for (let row = 0; row < height; row++) {
    for (let byte = 0; byte < 4; byte++) {
      if (data[(row * width + column) * 4 + byte] !== data[byte]) return false;
    }
  }
  return true;
}
