import type { ComparedEntry, Statement } from './statement.ts';

/** Which of two that say the same is shown: what tells more; of what tells as much, all from one document. */
export interface Rank {
  entry: ComparedEntry;
  /** The more exact date, a panel, more that was told at all, more codes, more details. */
  tells: readonly number[];
}

export const rankOf = (entry: ComparedEntry, { when, facets, parts }: Statement): Rank => ({
  entry,
  tells: [
    // Of a note that is there as both, as within one document.
    Number(entry.reference.startsWith('DocumentReference/')),
    // A copy of a note is filed under any day; the visit's is the one to read.
    Number(entry.kind === 'note' && entry.visit !== null),
    when.length,
    // A panel tells its parts, and never a part the panel.
    Math.sign(parts.length),
    facets.reduce((sum, { steps }) => sum + steps.length, 0),
    (entry.names ?? []).filter((name) => name.startsWith('code ')).length + (entry.code === null ? 0 : 1),
    leaves(entry.detail),
  ],
});

/** How many values a detail holds, at any depth it has. */
function leaves(detail: unknown): number {
  if (detail === null || detail === undefined || detail === false || detail === '') return 0;
  if (typeof detail !== 'object') return 1;
  return Object.values(detail).reduce<number>((sum, part) => sum + leaves(part), 0);
}

const byText = (one: string, other: string): number => (one === other ? 0 : one < other ? -1 : 1);

/** Below 0: the first one is shown. */
export function inOrder(one: Rank, other: Rank): number {
  for (const [place, tells] of one.tells.entries()) {
    const more = (other.tells[place] ?? 0) - tells;
    if (more !== 0) return more;
  }
  const [a, b] = [one.entry, other.entry];
  return byText(a.documentPath, b.documentPath) || a.seq - b.seq || a.ordinal - b.ordinal;
}
