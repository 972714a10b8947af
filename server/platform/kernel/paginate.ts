/** Yields rows in parts of a length, in their order; the last part may be shorter. Nothing for no rows. */
export function* paginate<Row>(rows: readonly Row[], length: number): Generator<readonly Row[]> {
  for (let from = 0; from < rows.length; from += length) yield rows.slice(from, from + length);
}
