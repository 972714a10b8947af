import { packLists, packWords, type PackedLists, type PackedWords } from '../../platform/kernel/packed.ts';
import type { Concept } from './concept.ts';
import type { PhraseTable, PhraseUse } from './phrase-table.ts';
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
  /** An abbreviation of a record that has other meanings too: where a text denies it, the symptom is meant. */
  isAmbiguous?: boolean;
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

export interface PhraseTrie {
  /** Finds the longest phrases from left to right; they don't overlap. */
  find(text: string, reading: Reading): PhraseMatch[];
}

const createNode = (): Node => ({ next: null, names: null, said: null, shorts: null });

/** The phrases that begin with each word, by their index in the table. */
export interface FirstWords {
  words: PackedWords;
  phrases: PackedLists;
}

/** Finds the first words of all phrases, with a pause after every so many. */
export function* packFirstWords(table: PhraseTable, phrasesPerStep: number): Generator<void, FirstWords> {
  const byWord = new Map<string, number[]>();
  for (let index = 0; index < table.size; index++) {
    if (index % phrasesPerStep === 0) yield;
    for (const spelling of listSpellings(table.getText(index))) {
      const first = foldFirstWord(spelling);
      if (first === null) continue;
      const phrases = byWord.get(first);
      if (phrases === undefined) byWord.set(first, [index]);
      else if (phrases.at(-1) !== index) phrases.push(index);
    }
  }
  yield;
  return { words: packWords([...byWord.keys()]), phrases: packLists([...byWord.values()]) };
}

interface TrieSource {
  table: PhraseTable;
  first: FirstWords;
  getConcept(row: number): Concept;
}

/** Creates a trie whose branches grow when a text holds their first word: most of the vocabulary no process ever needs. */
export function createPhraseTrie({ table, first, getConcept }: TrieSource): PhraseTrie {
  const branches = new Map<number, Node>();
  const findBranch = (word: string): Node | undefined => {
    const index = first.words.indexOf(word);
    if (index < 0) return undefined;
    const known = branches.get(index);
    if (known !== undefined) return known;
    const branch = createNode();
    for (const phrase of first.phrases.get(index))
      for (const spelling of listSpellings(table.getText(phrase))) {
        const words = splitWords(spelling);
        if (words[0]?.folded === word)
          addPhrase(branch, words, { concept: getConcept(table.getRow(phrase)), use: table.getUse(phrase) });
      }
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

function addPhrase(
  branch: Node,
  words: readonly Word[],
  { concept, use }: { concept: Concept; use: PhraseUse },
): void {
  let node = branch;
  for (const { folded } of words.slice(1)) {
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
      const isAmbiguous = reading === 'record' && concepts.length === 0 && isWrittenAsShort(phrase);
      const symptoms = isAmbiguous ? listSymptoms(node) : NONE;
      if (concepts.length > 0) longest = { match: { concepts, start, end, phrase }, next: at };
      else if (symptoms.length === 1)
        longest ??= { match: { concepts: symptoms, start, end, phrase, isAmbiguous }, next: at };
    }
    if (at === words.length || words[at]?.isFirst) break;
  }
  return longest;
}

const NONE: readonly Concept[] = [];

const listSymptoms = ({ shorts }: Node): readonly Concept[] =>
  shorts?.filter(({ kind }) => kind === 'symptoms') ?? NONE;

function readEnd({ names, said, shorts }: Node, phrase: string, reading: Reading): readonly Concept[] {
  if (said === null && shorts === null) return names ?? NONE;
  if (reading === 'question') return [...new Set([...(names ?? []), ...(said ?? []), ...(shorts ?? [])])];
  if (names !== null) return names;
  return shorts?.length === 1 && isWrittenAsShort(phrase) ? shorts : NONE;
}

/** Two letters, or letters with a vowel among them, may be a word; "htn" and "a1c" are none. */
const isWrittenAsShort = (phrase: string): boolean =>
  phrase === phrase.toUpperCase() || (phrase.length > 2 && !/^[a-z]*[aeiouy][a-z]*$/i.test(phrase));
