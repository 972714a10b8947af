import { countListed, isRead } from '../usage/sum-usage.ts';

/** What a client used in a range, as the service sums usage. */
interface ClientUse {
  kind: string;
  /** The client; null: a program of the organization. */
  key: string | null;
  count: number;
  refused: number;
  failed: number;
}

export interface ReaderSum {
  key: string | null;
  count: number;
  refused: number;
}

/** Sums tool calls and FHIR reads that were answered or refused, by who read, the most first. */
export function sumByReader(uses: readonly ClientUse[]): ReaderSum[] {
  const sums = new Map<string | null, ReaderSum>();
  for (const use of uses.filter(isRead)) {
    const { key } = use;
    const sum = sums.get(key) ?? { key, count: 0, refused: 0 };
    sums.set(key, { key, count: sum.count + countListed(use), refused: sum.refused + use.refused });
  }
  return [...sums.values()].filter(({ count }) => count > 0).sort((one, other) => other.count - one.count);
}
