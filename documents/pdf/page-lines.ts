import { groupRows, type Piece } from './pieces.ts';
import { splitIntoBlocks } from './text-blocks.ts';

/** A piece of text as pdf.js returns it. */
export interface PositionedText {
  str: string;
  /** ISO 32000-1 §9.4.4: the text matrix in the page's own space. */
  transform: number[];
  width: number;
}

/**
 * Extracts the lines of a page from top to bottom. `view` rotates the page as a viewer does. Pieces on one base line are
 * one line, so that a table's rows stay rows in whatever order the cells were written; columns of running text are read
 * one after the other.
 */
export function extractPageLines(items: readonly PositionedText[], view: readonly number[]): string[] {
  const pieces: Piece[] = [];
  const rotated: string[] = [];
  for (const item of items) {
    const piece = toPiece(item, view);
    if (item.str.trim() === '') continue;
    if (piece === null) rotated.push(item.str.trim());
    else pieces.push(piece);
  }
  return [
    ...splitIntoBlocks(pieces).flatMap((block, index) =>
      index === 0 ? buildLines(block) : ['', ...buildLines(block)],
    ),
    ...rotated,
  ];
}

/** Returns null for text that runs up, down or slanted: stamps and the labels of margins. */
function toPiece({ str, transform, width }: PositionedText, view: readonly number[]): Piece | null {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = transform;
  const [va = 1, vb = 0, vc = 0, vd = 1, ve = 0, vf = 0] = view;
  const along = { x: va * a + vc * b, y: vb * a + vd * b };
  const size = Math.hypot(va * c + vc * d, vb * c + vd * d) || 1;
  if (along.x <= 0 || Math.abs(along.y) > 0.1 * along.x) return null;
  const left = va * e + vc * f + ve;
  return { text: str, left, right: left + width, y: vb * e + vd * f + vf, size };
}

function buildLines(block: Piece[]): string[] {
  const lines: string[] = [];
  let above: { y: number; size: number } | null = null;
  for (const row of groupRows(block)) {
    const { y } = row[0]!;
    const size = Math.max(...row.map((piece) => piece.size));
    if (above && y - above.y > 1.9 * Math.max(size, above.size)) lines.push('');
    lines.push(joinRow(row));
    above = { y, size };
  }
  return lines;
}

/** In units of the font size: a wider gap is a space, and one wider than the second value separates columns. */
const MIN_SPACE_GAP = 0.15;
const MIN_COLUMN_GAP = 1.8;

function joinRow(row: readonly Piece[]): string {
  let line = '';
  let last: Piece | null = null;
  for (const piece of row) {
    if (last && isOverprint(last, piece)) continue;
    const gap = last === null ? 0 : (piece.left - last.right) / piece.size;
    if (gap > MIN_COLUMN_GAP) line = `${line.trimEnd()}   ${piece.text.trimStart()}`;
    else if (gap > MIN_SPACE_GAP && !/\s$/.test(line) && !/^\s/.test(piece.text)) line += ` ${piece.text}`;
    else line += piece.text;
    last = piece;
  }
  return line.trim();
}

/** Some programs print bold as the same text twice at one position. */
const isOverprint = (last: Piece, piece: Piece): boolean =>
  last.text === piece.text && Math.abs(last.left - piece.left) < 0.3 * piece.size;
