import type { DataMask } from '../../../../contract/brands.ts';
import type { QueryWord } from '../../../clinical/search/query-words.sql.ts';
import { join } from './markdown.ts';
import { escapeInline } from './escape-markdown.ts';
import { renderInRecord } from './withheld-text.ts';

export const NO_WORDS =
  'This query contains no word to search for, only common words such as "the" or "of", or punctuation. Name a condition, a drug, a test or a complaint, such as "diabetes" or "chest pain".';

const quote = (word: string): string => `“${escapeInline(word, 60)}”`;

/** Names the words of a query that were not searched as they were written. */
export const renderCorrections = (words: readonly QueryWord[], withheld: DataMask): string | null =>
  join([renderRespelled(words, withheld), renderUnmatched(words, withheld)], ' ') || null;

function renderRespelled(words: readonly QueryWord[], withheld: DataMask): string | null {
  const respelled = words.filter(({ written, readAs }) => written !== readAs);
  return respelled.length === 0
    ? null
    : `Not ${renderInRecord(withheld, 'the record')} as written, searched as: ${respelled.map(({ written, readAs }) => `${quote(written)} as ${quote(readAs)}`).join(', ')}.`;
}

/** Names the words that no text holds. */
export function renderUnmatched(words: readonly QueryWord[], withheld: DataMask): string | null {
  const unmatched = words.filter(({ found }) => !found);
  return unmatched.length === 0
    ? null
    : `No text ${renderInRecord(withheld, 'the record')} contains ${unmatched.map(({ written }) => quote(written)).join(', ')}; what is meant may be recorded in other words.`;
}
