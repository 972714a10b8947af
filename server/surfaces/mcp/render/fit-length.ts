import { countPieceTokens, PIECES } from './token-pieces.ts';

/** The longest answer, in characters and in tokens of the tokenizer o200k. */
export const MAX_RESULT_LENGTH = 44_000;
export const MAX_RESULT_TOKENS = 20_000;

/** Estimates the tokens of a text from above; most pieces of an answer stand in it again and again. */
export function estimateTokens(text: string): number {
  const counts = new Map<string, number>();
  let tokens = 0;
  for (const [piece] of text.matchAll(PIECES)) {
    let count = counts.get(piece);
    if (count === undefined) {
      count = countPieceTokens(piece);
      counts.set(piece, count);
    }
    tokens += count;
  }
  return tokens;
}

/** True for a text that one answer may hold. A text of fewer bytes than the limit has tokens can't have more tokens. */
export const fitsOneAnswer = (text: string): boolean =>
  text.length <= MAX_RESULT_LENGTH &&
  (text.length * 3 <= MAX_RESULT_TOKENS || estimateTokens(text) <= MAX_RESULT_TOKENS);
