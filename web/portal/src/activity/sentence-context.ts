import type { Language } from '../../../kit/languages.ts';
import type { Words } from '../words/en.ts';
import type { Decision } from './decisions.ts';

/** What sentences about entries of the log are made with. */
export interface SentenceContext {
  words: Words;
  language: Language;
  /** By the ids of their consent records, newest first. */
  decisions: ReadonlyMap<string, Decision>;
  /** The entry stands for several reads, and its number is their sum. */
  isSum?: boolean;
}
