import type { EventId } from '../../../contract/brands.ts';

/** A page of rows of which one more was asked for than it holds, and where the next one begins; null: there is none. */
export function toKeysetPage<Row extends { event_id: EventId }>(
  rows: readonly Row[],
  limit: number,
): { rows: readonly Row[]; next: EventId | null } {
  const page = rows.slice(0, limit);
  return { rows: page, next: rows.length > limit ? (page.at(-1)?.event_id ?? null) : null };
}
