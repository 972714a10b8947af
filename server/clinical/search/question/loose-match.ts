import type { PhraseMatch } from '../../concepts/phrase-trie.ts';
import type { Span } from './text-pattern.ts';

/** A phrase of which other words may stand in the middle. */
export interface LooseMatch extends PhraseMatch {
  /** The words of the text that make the phrase. */
  words: readonly Span[];
}
