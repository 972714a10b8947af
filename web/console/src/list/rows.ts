/** Whether these are the rows that are shown, in their places. */
export const isSameRows = <Row>(
  newest: readonly Row[] | undefined,
  shown: readonly Row[] | undefined,
  getKey: (row: Row) => string,
): boolean =>
  newest !== undefined &&
  shown !== undefined &&
  newest.length === shown.length &&
  newest.every((row, place) => getKey(row) === getKey(shown[place] as Row));

/** The rows above the first that is shown already. */
export function countNew<Row>(
  newest: readonly Row[] | undefined,
  shown: readonly Row[] | undefined,
  getKey: (row: Row) => string,
): number {
  if (newest === undefined || shown === undefined) return 0;
  const known = new Set(shown.map(getKey));
  const first = newest.findIndex((row) => known.has(getKey(row)));
  return first === -1 ? newest.length : first;
}
