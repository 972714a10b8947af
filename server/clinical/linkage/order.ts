import type { ComparedEntry, Statement } from './statement.ts';

/** Which of two that say the same is shown: what tells more; of what tells as much, all from one document. */
export interface Rank {
  entry: ComparedEntry;
  /** The more exact date, a panel, more that was told at all, more codes, more details. */
  scores: readonly number[];
}

export const buildRank = (entry: ComparedEntry, { when, facets, parts }: Statement): Rank => ({
  entry,
  scores: [
    // Of a note that is there as both, as within one document.
    Number(entry.reference.startsWith('DocumentReference/')),
    // A copy of a note is filed under any day; the visit's is the one to read.
    Number(entry.kind === 'note' && entry.visit !== null),
    when.length,
    // A panel tells its parts, and never a part the panel.
    Math.sign(parts.length),
    facets.reduce((sum, { steps }) => sum + steps.length, 0),
    (entry.names ?? []).filter((name) => name.startsWith('code ')).length + (entry.code === null ? 0 : 1),
    countLeaves(entry.detail),
  ],
});

/** How many values a detail holds, at any depth it has. */
function countLeaves(detail: unknown): number {
  if (detail === null || detail === undefined || detail === false || detail === '') return 0;
  if (typeof detail !== 'object') return 1;
  return Object.values(detail).reduce<number>((sum, part) => sum + countLeaves(part), 0);
}

const compareText = (one: string, other: string): number => (one === other ? 0 : one < other ? -1 : 1);

/** Below 0: the first one is shown. */
export function compareRank(one: Rank, other: Rank): number {
  for (const [index, score] of one.scores.entries()) {
    const more = (other.scores[index] ?? 0) - score;
    if (more !== 0) return more;
  }
  const [a, b] = [one.entry, other.entry];
  return compareText(a.documentPath, b.documentPath) || a.seq - b.seq || a.ordinal - b.ordinal;
}
