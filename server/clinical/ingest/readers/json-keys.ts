/** Parses a key of an object, which may be written with escapes, as `"resource\u0054ype"`. */
export function parseKey(quoted: Buffer): string | null {
  try {
    return JSON.parse(quoted.toString()) as string;
  } catch {
    return null;
  }
}

/** Notices which of some keys come more than once. */
export interface KeyWatch {
  note(key: string): void;
  hasRepeated(): boolean;
}

/** Others are not remembered: an object may have millions. */
export function createKeyWatch(watched: Iterable<string>): KeyWatch {
  const unseen = new Set(watched);
  const seen = new Set<string>();
  let hasRepeated = false;
  return {
    note(key) {
      if (seen.has(key)) hasRepeated = true;
      else if (unseen.delete(key)) seen.add(key);
    },
    hasRepeated: () => hasRepeated,
  };
}
