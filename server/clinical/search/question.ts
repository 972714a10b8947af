import type { Concept } from '../concepts/concept.ts';
import type { Kind } from '../entries/entry.ts';

/** A query as it was understood. The statement answers it, and the answer's first line says what differs from its words. */
export interface Question {
  /** Each a thing that is asked for. */
  concepts: readonly AskedConcept[];
  /** What no phrase of the vocabulary covers, without stop words, in the order of the query. */
  words: readonly AskedWord[];
  /** What an entry would be called: one that is answers, whatever its words are taken for. Null: nothing is named. */
  title: AskedTitle | null;
  /** Words and phrases with a minus. */
  unwanted: readonly string[];
  /** Days, the last included, between which a result must lie; null where the query names no time. */
  window: AskedWindow | null;
  /** "before my surgery": the event is no thing asked for, but the end of the time that is. */
  anchor: AskedAnchor | null;
  order: 'newest' | 'oldest' | null;
  /** Of the values of a test the one that is asked for. */
  extreme: Extreme | null;
  /** Kinds that the query asks for: they come first, and none is left out for it. */
  kinds: readonly AskedKind[];
  /** Which entries of the kinds: laboratory results and vital signs that are flagged, medications that are not to be given, or are not taken any more; null: all. */
  subset: AskedSubset | null;
  /**
   * Whose: what is said of relatives is searched, which else is not. With `relative` only a person is named, as who cares for
   * the patient may call the patient: "did dad ever get the shingles shot?" With `patient` it is so read, since nothing is
   * said of a relative.
   */
  people: 'family' | 'relative' | 'patient' | null;
}

export interface AskedConcept {
  /** The words of the query, as written. */
  phrase: string;
  /** The phrase of the vocabulary that it nearly is, where it is misspelled. */
  spelled: string | null;
  /** What it may mean; any of them answers. */
  readAs: readonly Concept[];
  /** What its words mean elsewhere: of "covid", where the vaccine is asked for, the disease. What says this does not answer. */
  isNot?: readonly Concept[];
  /** "No chest pain": what denies it is asked for first. */
  isDenied?: boolean;
  /** A keyword, without words of a sentence around it: what is called so answers too, as a vaccine is by the disease. */
  isBare?: boolean;
}

export type Extreme = 'highest' | 'lowest';

export interface AskedWord {
  /** A word, or the words of a quoted phrase. */
  text: string;
  /** 1 of a clinical word; less of names of places and people, and of general words ("blood", "test"). */
  weight: number;
  /** Of a code system: entries that have it answer. */
  isCode?: boolean;
}

export interface AskedTitle {
  text: string;
  /** Of which kinds the entry is; none: of any. */
  kinds: readonly Kind[];
  /** The whole query: what a text denies or prevents may be called so too. */
  isBare: boolean;
}

export interface AskedWindow {
  /** `YYYY-MM-DD`; null where it is open. */
  from: string | null;
  to: string | null;
  /** The words of the query that say so. */
  phrase: string;
  /** Counted from today ("last month"): in a record that ended years ago nothing lies there. */
  isRelative: boolean;
}

/** An event of the record, by what it may be, before or after which a result must lie. */
export interface AskedAnchor extends AskedConcept {
  side: 'before' | 'after';
}

export type AskedSubset = 'abnormal' | 'stopped' | 'to-avoid';

export interface AskedKind {
  kind: Kind;
  /** Above 0, at most 1: how surely it is asked for. */
  weight: number;
}

/** Whether what is said of relatives is searched, and not what is said of the patient. */
export const asksForRelatives = ({ people }: Pick<Question, 'people'>): boolean =>
  people === 'family' || people === 'relative';
