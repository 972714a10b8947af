import { useState } from 'react';

export interface Selection<Row> {
  /** Those of the shown rows that are selected, in their order. */
  selected: readonly Row[];
  isSelected(row: Row): boolean;
  toggle(row: Row): void;
  clear(): void;
}

/** The rows of a page that somebody has selected; those of another page are not among them any more. */
export function useSelection<Row>(rows: readonly Row[], getKey: (row: Row) => string): Selection<Row> {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  const isSelected = (row: Row): boolean => keys.has(getKey(row));
  return {
    selected: rows.filter(isSelected),
    isSelected,
    toggle: (row) => setKeys(keys.symmetricDifference(new Set([getKey(row)]))),
    clear: () => setKeys(new Set()),
  };
}
