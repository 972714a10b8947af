import type { Concept } from './concept.ts';
import { foldFirstWord, listSpellings, splitWords, type Word } from './split-words.ts';

/** A phrase of the vocabulary in a text, with all concepts that it may mean. */
export interface PhraseMatch {
  concepts: readonly Concept[];
  start: number;
  end: number;
  /** As the text writes it. */
  phrase: string;
  /** All of the concepts are meant, not one of them. */
  isWhole?: boolean;
  /** Words of a question that stand in the middle of it were passed over. */
  isGapped?: boolean;
}

interface Node {
  next: Map<string, Node> | null;
  /** What the words up to here name. */
  names: Concept[] | null;
  /** What people mean by them who ask. */
  said: Concept[] | null;
  /** What they abbreviate. */
  shorts: Concept[] | null;
}

/**
 * How a text is read: in a question turns of speech and every abbreviation count; in a record no turn of speech, and only an
 * abbreviation that can be nothing else, written in capitals where it might be a word ("all", "ms").
 */
export type Reading = 'question' | 'record';

/** In which of the lists of a node a phrase stands. */
export type PhraseUse = 'names' | 'said' | 'shorts';

export interface PhraseTrie {
  add(concept: Concept, phrase: string, use: PhraseUse): void;
  /** Finds the longest phrases from left to right; they don't overlap. */
  find(text: string, reading: Reading): PhraseMatch[];
}

const createNode = (): Node => ({ next: null, names: null, said: null, shorts: null });

interface Phrase {
  concept: Concept;
  spelling: string;
  use: PhraseUse;
}

/** Creates a trie whose branches grow when a text holds their first word: most of the vocabulary no process ever needs. */
export function createPhraseTrie(): PhraseTrie {
  const branches = new Map<string, Node>();
  const waiting = new Map<string, Phrase[]>();
  const findBranch = (word: string): Node | undefined => {
    const phrases = waiting.get(word);
    if (phrases === undefined) return branches.get(word);
    const branch = branches.get(word) ?? createNode();
    branches.set(word, branch);
    waiting.delete(word);
    for (const phrase of phrases) addPhrase(branch, phrase);
    return branch;
  };
  return {
    add(concept, phrase, use) {
      for (const spelling of listSpellings(phrase)) {
        const first = foldFirstWord(spelling);
        if (first === null) continue;
        const phrases = waiting.get(first);
        if (phrases === undefined) waiting.set(first, [{ concept, spelling, use }]);
        else phrases.push({ concept, spelling, use });
      }
    },
    find(text, reading) {
      const words = splitWords(text);
      const matches: PhraseMatch[] = [];
      for (let at = 0; at < words.length;) {
        const branch = findBranch((words[at] as Word).folded);
        const found = branch === undefined ? null : findLongest({ branch, text, words, reading }, at);
        if (found === null) at++;
        else {
          matches.push(found.match);
          at = found.next;
        }
      }
      return matches;
    },
  };
}

function addPhrase(branch: Node, { concept, spelling, use }: Phrase): void {
  let node = branch;
  for (const { folded } of splitWords(spelling).slice(1)) {
    node.next ??= new Map();
    let next = node.next.get(folded);
    if (next === undefined) node.next.set(folded, (next = createNode()));
    node = next;
  }
  const concepts = (node[use] ??= []);
  if (!concepts.includes(concept)) concepts.push(concept);
}

interface Search {
  branch: Node;
  text: string;
  words: readonly Word[];
  reading: Reading;
}

function findLongest(
  { branch, text, words, reading }: Search,
  from: number,
): { match: PhraseMatch; next: number } | null {
  let longest: { match: PhraseMatch; next: number } | null = null;
  const { start } = words[from] as Word;
  let node: Node | undefined = branch;
  for (let at = from; node !== undefined; node = node.next?.get((words[at] as Word).folded)) {
    const { end } = words[at++] as Word;
    if (node.names !== null || node.said !== null || node.shorts !== null) {
      const phrase = text.slice(start, end);
      const concepts = readEnd(node, phrase, reading);
      if (concepts.length > 0) longest = { match: { concepts, start, end, phrase }, next: at };
    }
    if (at === words.length || words[at]?.isFirst) break;
  }
  return longest;
}

const NONE: readonly Concept[] = [];

function readEnd({ names, said, shorts }: Node, phrase: string, reading: Reading): readonly Concept[] {
  if (said === null && shorts === null) return names ?? NONE;
  if (reading === 'question') return [...new Set([...(names ?? []), ...(said ?? []), ...(shorts ?? [])])];
  if (names !== null) return names;
  return shorts?.length === 1 && isWrittenAsShort(phrase) ? shorts : NONE;
}

/** Two letters, or letters with a vowel among them, may be a word; "htn" and "a1c" are none. */
const isWrittenAsShort = (phrase: string): boolean =>
  phrase === phrase.toUpperCase() || (phrase.length > 2 && !/^[a-z]*[aeiouy][a-z]*$/i.test(phrase));
