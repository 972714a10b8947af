import { countTokens as count } from 'gpt-tokenizer/encoding/o200k_base';

/** Counts the tokens of a text as the tokenizer o200k does, which the contract measures answers by. */
export const countTokens = (text: string): number => count(text, { allowedSpecial: 'all' });
