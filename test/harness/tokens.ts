import ranks from 'gpt-tokenizer/bpeRanks/o200k_base';
import { countTokens as count } from 'gpt-tokenizer/encoding/o200k_base';

/** Counts the tokens of a text as the tokenizer o200k does, which the contract measures answers by. */
export const countTokens = (text: string): number => count(text, { allowedSpecial: 'all' });

/** So many of the first tokens estimate English and Spanish closely enough, in 60 kB. */
const MERGES = 8000;

/** Returns the first tokens of several characters in the order in which the tokenizer merges them, and the characters that are tokens. */
export function listTokenMerges(): { merges: string[]; characters: string } {
  const tokens = ranks.filter((token) => typeof token === 'string');
  const isOneCharacter = (token: string): boolean => Array.from(token).length === 1;
  return {
    merges: tokens.filter((token) => !isOneCharacter(token)).slice(0, MERGES),
    characters: tokens.filter((token) => isOneCharacter(token) && token > '\u007F').join(''),
  };
}
