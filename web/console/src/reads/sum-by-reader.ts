/** What a client used in a range, as the service sums usage. */
interface ClientUse {
  kind: string;
  /** The client; null: a program of the organization. */
  key: string | null;
  count: number;
  refused: number;
}

export interface ReaderSum {
  key: string | null;
  count: number;
  refused: number;
}

/** Sums tool calls and FHIR reads by who read, the most first. */
export function sumByReader(uses: readonly ClientUse[]): ReaderSum[] {
  const sums = new Map<string | null, ReaderSum>();
  for (const { kind, key, count, refused } of uses) {
    if (kind !== 'tool_call' && kind !== 'fhir_read') continue;
    const sum = sums.get(key) ?? { key, count: 0, refused: 0 };
    sums.set(key, { key, count: sum.count + count, refused: sum.refused + refused });
  }
  return [...sums.values()].sort((one, other) => other.count - one.count);
}
