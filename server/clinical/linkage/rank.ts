import type { ComparedEntry, Statement } from './statement.ts';

/** Decides which of two entries about one fact is shown: the one that states more, else the one of the first document. */
export interface Rank {
  entry: ComparedEntry;
  /** Compared in order: the more precise date, a panel, more facets with a value, more codes, more details. */
  scores: readonly number[];
}

export const buildRank = (entry: ComparedEntry, { when, facets, parts }: Statement): Rank => ({
  entry,
  scores: [
    // A note that is there as document and as report is shown as the document, as within one source.
    Number(entry.reference.startsWith('DocumentReference/')),
    // A copy of a note is filed under any day; the visit's is the one to read.
    Number(entry.kind === 'note' && entry.visit !== null),
    when.length,
    // A panel stands for its parts, and never a part for the panel.
    Math.sign(parts.length),
    facets.reduce((sum, { steps }) => sum + steps.length, 0),
    (entry.names ?? []).filter((name) => name.startsWith('code ')).length + (entry.code === null ? 0 : 1),
    countLeaves(entry.detail),
  ],
});

/** Counts the values of a detail at any depth. */
function countLeaves(detail: unknown): number {
  if (detail === null || detail === undefined || detail === false || detail === '') return 0;
  if (typeof detail !== 'object') return 1;
  return Object.values(detail).reduce<number>((sum, part) => sum + countLeaves(part), 0);
}

const compareText = (one: string, other: string): number => (one === other ? 0 : one < other ? -1 : 1);

/** Compares as `Array.sort` expects: the entry that is shown comes first. */
export function compareRank(one: Rank, other: Rank): number {
  for (const [index, score] of one.scores.entries()) {
    const more = (other.scores[index] ?? 0) - score;
    if (more !== 0) return more;
  }
  const [a, b] = [one.entry, other.entry];
  return compareText(a.documentPath, b.documentPath) || a.seq - b.seq || a.ordinal - b.ordinal;
}
