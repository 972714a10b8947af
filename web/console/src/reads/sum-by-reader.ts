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
  /** Those that were answered, as Home counts them. */
  reads: number;
  refused: number;
}

const countAll = ({ reads, refused }: ReaderSum): number => reads + refused;

/** Sums tool calls and FHIR reads that were answered, and those that were refused, by who asked, who read most first. */
export function sumByReader(uses: readonly ClientUse[]): ReaderSum[] {
  const sums = new Map<string | null, ReaderSum>();
  for (const use of uses.filter(isRead)) {
    const { key } = use;
    const sum = sums.get(key) ?? { key, reads: 0, refused: 0 };
    const answered = countListed(use) - use.refused;
    sums.set(key, { key, reads: sum.reads + answered, refused: sum.refused + use.refused });
  }
  return [...sums.values()]
    .filter((sum) => countAll(sum) > 0)
    .sort((one, other) => other.reads - one.reads || other.refused - one.refused);
}
