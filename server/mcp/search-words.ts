import type { TakenWord } from '../search/asked-words.sql.ts';
import { listed } from './markdown.ts';
import { inline } from './record-text.ts';
import { inRecord } from './withheld-text.ts';

export const noWords =
  'This query holds no word to search for: only common words such as "the" or "of", or signs. Name a condition, a drug, a test or a complaint, such as "diabetes" or "chest pain".';

/** Words that were not searched as they were written. */
export function takenOtherwise(words: readonly TakenWord[], withheld: number): string | null {
  const respelled = words.filter(({ written, taken }) => written !== taken);
  const nowhere = words.filter(({ found }) => !found);
  const quoted = (word: string): string => `“${inline(word, 60)}”`;
  const text = listed(
    [
      respelled.length > 0 &&
        `Not ${inRecord(withheld, 'the record')} as written, read as: ${respelled.map(({ written, taken }) => `${quoted(written)} as ${quoted(taken)}`).join(', ')}.`,
      nowhere.length > 0 &&
        `Nowhere ${inRecord(withheld, 'the record')}: ${nowhere.map(({ written }) => quoted(written)).join(', ')}.`,
    ],
    ' ',
  );
  return text === '' ? null : text;
}
