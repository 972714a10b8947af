/** The longest answer, in characters and in tokens of the tokenizer o200k. */
export const MAX_RESULT_LENGTH = 44_000;
export const MAX_RESULT_TOKENS = 20_000;

/**
 * The pieces into which o200k cuts a text before it looks for tokens: words by their capitals, with the character before
 * them; up to three digits; runs of other characters; white space.
 */
const PIECES =
  /[^\p{L}\p{N}\r\n]?(?:\p{Lu}*[^\P{L}\p{Lu}]+|\p{Lu}+)|\p{N}{1,3}| ?[^\p{L}\p{N}\s]+[\r\n]*|\s+/gu;
const NOT_ASCII = /[^\0-\x7F]/g;
const RUN_OF_MARKS = /^ ?[^\p{L}\p{N}\s]{2}/u;

/**
 * Estimates the tokens of a text from above: a tokenizer's tables would take 2 MB and 30 ms of start. A piece is at least
 * one token; a long one has one for each three ASCII letters (English words need fewer, names of drugs as many), for each
 * two marks (rules of tables) and for each character of another script. A test compares it with the tokenizer over the development records.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const [piece] of text.matchAll(PIECES)) tokens += estimatePiece(piece);
  return tokens;
}

function estimatePiece(piece: string): number {
  const others = piece.match(NOT_ASCII)?.length ?? 0;
  return others + Math.ceil((piece.length - others) / (piece.length > 3 && RUN_OF_MARKS.test(piece) ? 2 : 3));
}

/** True for a text that one answer may hold. A text of fewer bytes than the limit has tokens can't have more tokens. */
export const fitsOneAnswer = (text: string): boolean =>
  text.length <= MAX_RESULT_LENGTH &&
  (text.length * 3 <= MAX_RESULT_TOKENS || estimateTokens(text) <= MAX_RESULT_TOKENS);
