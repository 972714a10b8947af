import { groupRows, type Piece } from './pieces.ts';

/**
 * Splits a page into the blocks it is read in: one, unless a gutter runs between columns of running text. A table has
 * gutters, too; but its cells are short, and reading it by columns would separate a value from its name.
 */
export function splitIntoBlocks(pieces: Piece[]): Piece[][] {
  const gutter = findGutter(pieces);
  if (gutter === null) return pieces.length === 0 ? [] : [pieces];
  const { x, top, bottom } = gutter;
  const within = pieces.filter((piece) => piece.y >= top && piece.y <= bottom);
  return [
    pieces.filter((piece) => piece.y < top),
    within.filter((piece) => piece.right <= x),
    within.filter((piece) => piece.right > x),
    pieces.filter((piece) => piece.y > bottom),
  ].filter((block) => block.length > 0);
}

interface Gutter {
  /** The left edge of the right column. */
  x: number;
  /** The base lines of the first and last row it divides. */
  top: number;
  bottom: number;
}

/** Fewer lines next to each other are a table or an address. */
const MIN_LINES = 8;
const MAX_CANDIDATES = 4;

function findGutter(pieces: readonly Piece[]): Gutter | null {
  const rows = groupRows(pieces);
  if (rows.length < MIN_LINES) return null;
  for (const x of findColumnStarts(rows)) {
    const run = trimToColumns(findLongestRun(rows, x), x);
    const left = run.map((row) => row.filter((piece) => piece.right <= x)).filter((part) => part.length > 0);
    const right = run.map((row) => row.filter((piece) => piece.right > x)).filter((part) => part.length > 0);
    if (isRunningText(left, x) && isRunningText(right, null)) {
      return { x, top: run[0]![0]!.y - 0.1, bottom: Math.max(...run.at(-1)!.map(({ y }) => y)) };
    }
  }
  return null;
}

/** Finds the positions where most lines begin, except the page's own margin. */
function findColumnStarts(rows: readonly Piece[][]): number[] {
  const counts = new Map<number, number>();
  for (const row of rows) {
    for (const [index, piece] of row.entries()) {
      const before = row[index - 1];
      if (before && piece.left - before.right < piece.size) continue;
      const x = Math.floor(piece.left / 4) * 4;
      counts.set(x, (counts.get(x) ?? 0) + 1);
    }
  }
  const margin = Math.min(...counts.keys());
  return [...counts]
    .filter(([x, count]) => count >= MIN_LINES && x > margin + 40)
    .toSorted((one, other) => other[1] - one[1])
    .slice(0, MAX_CANDIDATES)
    .map(([x]) => x);
}

/** Finds the longest run of rows of which none crosses `x`. */
function findLongestRun(rows: readonly Piece[][], x: number): Piece[][] {
  let best: Piece[][] = [];
  let run: Piece[][] = [];
  for (const row of rows) {
    if (row.some((piece) => piece.left < x && piece.right > x)) run = [];
    else run.push(row);
    if (run.length > best.length) best = run;
  }
  return best;
}

/** A wider gap between lines, in units of the font size, separates a heading or a footer from a column. */
const MAX_LINE_GAP = 2.5;

/**
 * Keeps the rows of both columns: the lines of a longer column follow each other closely; lines apart from it are the
 * page's.
 */
function trimToColumns(run: readonly Piece[][], x: number): Piece[][] {
  const isRight = (row: Piece[]): boolean => row.some((piece) => piece.right > x);
  let first = run.findIndex(isRight);
  let last = run.findLastIndex(isRight);
  if (first < 0) return [];
  while (first > 0 && isNear(run[first - 1]!, run[first]!)) first--;
  while (last < run.length - 1 && isNear(run[last]!, run[last + 1]!)) last++;
  return run.slice(first, last + 1);
}

const isNear = ([above]: Piece[], [below]: Piece[]): boolean =>
  below!.y - above!.y < MAX_LINE_GAP * below!.size;

const MIN_CHARACTERS = 22;

/** True for lines that mostly fill their column, as cells do not. */
function isRunningText(parts: readonly Piece[][], end: number | null): boolean {
  if (parts.length < MIN_LINES) return false;
  const start = Math.min(...parts.map((part) => part[0]!.left));
  const ends = parts.map((part) => part.at(-1)!.right);
  const width = (end ?? Math.max(...ends)) - start;
  const filled = ends.filter((right) => right - start > 0.6 * width).length;
  const characters = parts.flat().reduce((sum, { text }) => sum + text.length, 0);
  return filled * 2 > parts.length && characters > MIN_CHARACTERS * parts.length;
}
