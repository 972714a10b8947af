/** A piece of text on the page as it is displayed, in points from the upper left corner. */
export interface Piece {
  text: string;
  left: number;
  right: number;
  /** The base line. */
  y: number;
  size: number;
}

/** Groups pieces on one base line, or as near to it as raised and lowered figures are. */
export function groupRows(pieces: readonly Piece[]): Piece[][] {
  const rows: Piece[][] = [];
  for (const piece of pieces.toSorted((one, other) => one.y - other.y)) {
    const row = rows.at(-1);
    const first = row?.[0];
    if (row && first && piece.y - first.y <= 0.4 * Math.min(first.size, piece.size)) row.push(piece);
    else rows.push([piece]);
  }
  return rows.map((row) => row.toSorted((one, other) => one.left - other.left));
}
