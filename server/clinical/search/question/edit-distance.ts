/** Longer words are no words. */
const MAX_LENGTH = 64;

/**
 * Creates what counts the letters to insert, delete, replace or swap with their neighbour that make one word of another
 * (optimal string alignment); it returns `limit + 1` where it takes more than `limit`. Its rows are kept, because a question
 * compares thousands of words.
 */
export function createEditCounter(): (one: string, other: string, limit: number) => number {
  let [before, last, current] = [0, 1, 2].map(() => new Uint8Array(MAX_LENGTH + 1)) as [
    Uint8Array,
    Uint8Array,
    Uint8Array,
  ];
  return (one, other, limit) => {
    if (Math.abs(one.length - other.length) > limit || Math.max(one.length, other.length) > MAX_LENGTH)
      return limit + 1;
    for (let column = 0; column <= other.length; column++) last[column] = column;
    for (let row = 1; row <= one.length; row++) {
      const letter = one.charCodeAt(row - 1);
      let least = row;
      current[0] = row;
      for (let column = 1; column <= other.length; column++) {
        const its = other.charCodeAt(column - 1);
        let edits = (last[column - 1] as number) + (letter === its ? 0 : 1);
        edits = Math.min(edits, (last[column] as number) + 1, (current[column - 1] as number) + 1);
        if (
          row > 1 &&
          column > 1 &&
          letter === other.charCodeAt(column - 2) &&
          one.charCodeAt(row - 2) === its
        )
          edits = Math.min(edits, (before[column - 2] as number) + 1);
        current[column] = edits;
        if (edits < least) least = edits;
      }
      if (least > limit) return limit + 1;
      [before, last, current] = [last, current, before];
    }
    return Math.min(last[other.length] as number, limit + 1);
  };
}
