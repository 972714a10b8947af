import type { LogPage } from './entries.sql.ts';

export interface EntryPage<Entry> {
  results: Entry[];
  /** `before` of the next page; null on the last. */
  next: string | null;
}

/** One row beyond the page shows whether there is another page. */
export const withLookahead = (page: LogPage): LogPage => ({ ...page, limit: page.limit + 1 });

export function toPage<Row extends { entry_id: string }, Entry>(
  rows: readonly Row[],
  { limit }: LogPage,
  toItem: (row: Row) => Entry,
): EntryPage<Entry> {
  const page = rows.slice(0, limit);
  return {
    results: page.map(toItem),
    next: rows.length > limit ? (page.at(-1)?.entry_id ?? null) : null,
  };
}
