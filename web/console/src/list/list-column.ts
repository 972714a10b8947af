import type { ReactNode } from 'react';

export interface ListColumn<Row> {
  /** The heading of the column in a CSV file: as the API names it, in its notation (`lastUsedAt`). */
  name: string;
  header: string;
  render: (row: Row) => ReactNode;
  /** What stands in a CSV file; without it the column is not in one. */
  csv?: (row: Row) => string | number | null;
  numeric?: boolean;
  /** Left out of cards on a phone. */
  wideOnly?: boolean;
  /** Shown when somebody chooses it: a row would be wider than a window. */
  hiddenAtFirst?: boolean;
}
