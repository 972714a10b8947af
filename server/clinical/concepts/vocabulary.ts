import { createInSteps } from '../../platform/kernel/made-in-steps.ts';
import { createCodeIndex, type CodeIndex } from './code-index.ts';
import type { Concept, ConceptRow } from './concept.ts';
import { createPhraseTrie, type PhraseMatch, type Reading } from './phrase-trie.ts';
import { connectRows } from './relations.ts';

/** What the service knows of medicine: concepts, the phrases that mean them and the codes that name them. */
export interface Vocabulary {
  findPhrases(text: string, reading: Reading): PhraseMatch[];
  findByCode: CodeIndex['find'];
  getConcept(id: number): Concept | undefined;
  /** Every phrase once, for spelling: folded words are not what people read. */
  listPhrases(): Iterable<string>;
  /** Every name of every concept with its language; no abbreviations. */
  listNames(): Iterable<ConceptName>;
}

export interface ConceptName {
  concept: Concept;
  phrase: string;
  /** Clinical names and brands count as English. */
  language: 'en' | 'es' | 'de';
}

/** A millisecond's work. */
const ROWS_PER_STEP = 100;

/** Compiles rows, with a pause after each step. */
export function* compileInSteps(rows: readonly ConceptRow[]): Generator<void, Vocabulary> {
  const phrases = createPhraseTrie();
  const codes = createCodeIndex();
  const concepts = connectRows(rows);
  for (const [index, row] of rows.entries()) {
    if (index % ROWS_PER_STEP === 0) yield;
    const concept = concepts.get(row.id) as Concept;
    for (const phrase of listNames(row)) phrases.add(concept, phrase, false);
    for (const phrase of row.short ?? []) phrases.add(concept, phrase, true);
    codes.add(concept, row.codes);
  }
  const byId = new Map([...concepts.values()].map((concept) => [concept.id, concept]));
  return {
    findPhrases: (text, reading) => phrases.find(text, reading),
    findByCode: (system, code) => codes.find(system, code),
    getConcept: (id) => byId.get(id),
    listPhrases: () => new Set(rows.flatMap(listNames)),
    *listNames() {
      for (const row of rows) {
        const concept = concepts.get(row.id) as Concept;
        for (const phrase of [row.name, ...(row.en ?? []), ...(row.brands ?? [])])
          yield { concept, phrase, language: 'en' };
        for (const phrase of row.es ?? []) yield { concept, phrase, language: 'es' };
        for (const phrase of row.de ?? []) yield { concept, phrase, language: 'de' };
      }
    },
  };
}

export const compileVocabulary = (rows: readonly ConceptRow[]): Vocabulary =>
  createInSteps(() => compileInSteps(rows)).get();

/** The phrases of a row that are no abbreviations. */
export const listNames = ({ name, en = [], es = [], de = [], brands = [] }: ConceptRow): string[] => [
  name,
  ...en,
  ...es,
  ...de,
  ...brands,
];
