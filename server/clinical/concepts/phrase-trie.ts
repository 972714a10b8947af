import { packLists, packWords, type PackedLists, type PackedWords } from '../../platform/kernel/packed.ts';
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
type PhraseUse = 'names' | 'said' | 'shorts';

export interface PhraseTrie {
  /** Finds the longest phrases from left to right; they don't overlap. */
  find(text: string, reading: Reading): PhraseMatch[];
}

const createNode = (): Node => ({ next: null, names: null, said: null, shorts: null });

export interface Phrase {
  text: string;
  use: PhraseUse;
}

/** The phrases of a row with what they mean. */
export interface RowPhrases {
  concept: Concept;
  phrases: readonly Phrase[];
}

/** Which rows have a phrase that begins with a word; filled, then packed. */
export interface FirstWords {
  add(row: number, phrases: readonly Phrase[]): void;
  pack(): PackedRowsByWord;
}

interface PackedRowsByWord {
  words: PackedWords;
  rows: PackedLists;
}

export function createFirstWords(): FirstWords {
  const rowsByWord = new Map<string, number[]>();
  return {
    add(row, phrases) {
      for (const { text } of phrases)
        for (const spelling of listSpellings(text)) {
          const first = foldFirstWord(spelling);
          if (first === null) continue;
          const rows = rowsByWord.get(first);
          if (rows === undefined) rowsByWord.set(first, [row]);
          else if (rows.at(-1) !== row) rows.push(row);
        }
    },
    pack: () => ({ words: packWords([...rowsByWord.keys()]), rows: packLists([...rowsByWord.values()]) }),
  };
}

/** Creates a trie whose branches grow when a text holds their first word: most of the vocabulary no process ever needs. */
export function createPhraseTrie(
  { words: firstWords, rows }: PackedRowsByWord,
  getPhrases: (row: number) => RowPhrases,
): PhraseTrie {
  const branches = new Map<number, Node>();
  const findBranch = (word: string): Node | undefined => {
    const index = firstWords.indexOf(word);
    if (index < 0) return undefined;
    const known = branches.get(index);
    if (known !== undefined) return known;
    const branch = createNode();
    for (const row of rows.get(index)) addRow(branch, word, getPhrases(row));
    branches.set(index, branch);
    return branch;
  };
  return {
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

/** Adds the phrases of a row that begin with the word. */
function addRow(branch: Node, word: string, { concept, phrases }: RowPhrases): void {
  for (const { text, use } of phrases)
    for (const spelling of listSpellings(text))
      if (foldFirstWord(spelling) === word) addPhrase(branch, concept, { text: spelling, use });
}

function addPhrase(branch: Node, concept: Concept, { text, use }: Phrase): void {
  let node = branch;
  for (const { folded } of splitWords(text).slice(1)) {
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
