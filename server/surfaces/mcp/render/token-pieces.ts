import { readFileSync } from 'node:fs';
import path from 'node:path';

/** An English contraction stays with its word. */
const CONTRACTION = String.raw`(?:'(?:[sStTmMdD]|[rR][eE]|[vV][eE]|[lL][lL]))?`;

/** The pieces into which o200k cuts a text before it looks for tokens; no token goes beyond one. */
export const PIECES = new RegExp(
  [
    String.raw`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+${CONTRACTION}`,
    String.raw`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*${CONTRACTION}`,
    String.raw`\p{N}{1,3}`,
    String.raw` ?[^\s\p{L}\p{N}]+[\r\n/]*`,
    String.raw`\s*[\r\n]+`,
    String.raw`\s+(?!\S)`,
    String.raw`\s+`,
  ].join('|'),
  'gu',
);

interface TokenMerges {
  /** Tokens of several characters, in the order in which the tokenizer makes them of shorter ones. */
  merges: string[];
  /** The characters that are tokens, besides those of ASCII. */
  characters: string;
}

/** Written by tools/write-token-merges.ts: 60 kB of the tokenizer's 2 MB, which took 30 ms of a start. */
const TABLE = JSON.parse(
  readFileSync(path.join(import.meta.dirname, 'token-merges.json'), 'utf8'),
) as TokenMerges;
const RANKS: ReadonlyMap<string, number> = new Map(TABLE.merges.map((token, rank) => [token, rank]));
const CHARACTERS: ReadonlySet<string> = new Set(TABLE.characters);

/** A longer piece is counted in parts of so many characters: looking for pairs takes the square of it. */
const MAX_PART = 64;

/**
 * Counts the tokens of a piece from above. The tokenizer begins with bytes and merges the pair of the lowest rank, again and
 * again; what it makes of two tokens has a higher rank than both. So whoever stops after the first ranks has at least as many
 * tokens as it, for any text, and nearly as many where its words are frequent ones. A character that is a token counts as one;
 * any other, as those of scripts that it hardly knows, as its bytes.
 */
export function countPieceTokens(piece: string): number {
  if (piece.length === 1 ? isToken(piece) : RANKS.has(piece)) return 1;
  const characters = Array.from(piece);
  let tokens = 0;
  for (let start = 0; start < characters.length; start += MAX_PART)
    tokens += countPartTokens(characters.slice(start, start + MAX_PART)) + (start > 0 ? 1 : 0);
  return tokens;
}

const isToken = (character: string): boolean => character <= '\u007F' || CHARACTERS.has(character);

function countPartTokens(parts: string[]): number {
  for (;;) {
    let lowest = Infinity;
    let at = -1;
    for (let index = 0; index + 1 < parts.length; index++) {
      const rank = RANKS.get((parts[index] as string) + (parts[index + 1] as string));
      if (rank !== undefined && rank < lowest) [lowest, at] = [rank, index];
    }
    if (at === -1) break;
    parts.splice(at, 2, (parts[at] as string) + (parts[at + 1] as string));
  }
  return parts.reduce(
    (sum, part) => sum + (RANKS.has(part) || isToken(part) ? 1 : Buffer.byteLength(part)),
    0,
  );
}
