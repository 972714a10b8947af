import type { LabeledEntries } from './build-labeled-entries.ts';

/** Resources whose entries are replaced in one transaction. */
export interface Page extends Omit<LabeledEntries, 'visits'> {
  /** Ascending. */
  seqs: number[];
}

/**
 * Characters of entries in one transaction: 4 MB of them took the embedded engine 0.2 s, in which it does nothing else.
 * Those of a page of 200 resources have 0.4 MB. An entry is never split.
 */
const MAX_CHARACTERS = 1024 * 1024;

/** Splits a page with long entries into several; almost all stay as they are. */
export function splitPage(page: Page): Page[] {
  const lengths = new Map<number, number>();
  for (const { seq, entry } of page.entries)
    lengths.set(seq, (lengths.get(seq) ?? 0) + JSON.stringify(entry).length);
  const parts = groupByLength(page.seqs, (seq) => lengths.get(seq) ?? 0);
  if (parts.length <= 1) return [page];
  return parts.map((seqs) => {
    const isHere = ({ seq }: { seq: number }): boolean => seqs.has(seq);
    return {
      seqs: [...seqs],
      entries: page.entries.filter(isHere),
      requiredLabels: page.requiredLabels.filter(isHere),
      contents: page.contents.filter(isHere),
      periods: page.periods.filter(isHere),
    };
  });
}

function groupByLength(seqs: readonly number[], getLength: (seq: number) => number): Set<number>[] {
  const groups: Set<number>[] = [];
  let left = 0;
  for (const seq of seqs) {
    const length = getLength(seq);
    if (groups.length === 0 || length > left) {
      groups.push(new Set());
      left = MAX_CHARACTERS;
    }
    groups.at(-1)?.add(seq);
    left -= length;
  }
  return groups;
}
