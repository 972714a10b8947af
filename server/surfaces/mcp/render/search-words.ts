import type { DataMask } from '../../../../contract/brands.ts';
import type { QueryWord } from '../../../clinical/search/query-words.sql.ts';
import { join } from './markdown.ts';
import { escapeInline } from './escape-markdown.ts';
import { renderInRecord } from './withheld-text.ts';

export const NO_WORDS =
  'This query contains no word to search for, only common words such as "the" or "of", or punctuation. Name a condition, a drug, a test or a complaint, such as "diabetes" or "chest pain".';

/** Names the words of a query that were not searched as they were written. */
export function renderCorrections(words: readonly QueryWord[], withheld: DataMask): string | null {
  const respelled = words.filter(({ written, readAs }) => written !== readAs);
  const unmatched = words.filter(({ found }) => !found);
  const quote = (word: string): string => `“${escapeInline(word, 60)}”`;
  const text = join(
    [
      respelled.length > 0 &&
        `Not ${renderInRecord(withheld, 'the record')} as written, searched as: ${respelled.map(({ written, readAs }) => `${quote(written)} as ${quote(readAs)}`).join(', ')}.`,
      unmatched.length > 0 &&
        `No text ${renderInRecord(withheld, 'the record')} contains ${unmatched.map(({ written }) => quote(written)).join(', ')}; what is meant may be recorded in other words.`,
    ],
    ' ',
  );
  return text === '' ? null : text;
}
