import type { PhraseMatch } from '../../concepts/phrase-trie.ts';
import type { Span } from './text-pattern.ts';

/** A word of the text; by its class where the phrase says another word that says the same. */
export interface LooseWord extends Span {
  isByClass?: boolean;
}

/** A phrase of which other words may stand in the middle. */
export interface LooseMatch extends PhraseMatch {
  /** The words of the text that make the phrase. */
  words: readonly LooseWord[];
}
