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
  /** Every name of every concept and what people say for it, with the language; no abbreviations. */
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
    for (const phrase of listNames(row)) phrases.add(concept, phrase, 'names');
    for (const phrase of listSaid(row)) phrases.add(concept, phrase, 'said');
    for (const phrase of row.short ?? []) phrases.add(concept, phrase, 'shorts');
    codes.add(concept, row.codes);
  }
  const byId = new Map([...concepts.values()].map((concept) => [concept.id, concept]));
  return {
    findPhrases: (text, reading) => phrases.find(text, reading),
    findByCode: (system, code) => codes.find(system, code),
    getConcept: (id) => byId.get(id),
    listPhrases: () => new Set(rows.flatMap((row) => [...listNames(row), ...listSaid(row)])),
    *listNames() {
      for (const row of rows) {
        const concept = concepts.get(row.id) as Concept;
        for (const phrase of [row.name, ...(row.en ?? []), ...(row.brands ?? [])])
          yield { concept, phrase, language: 'en' };
        for (const language of ['es', 'de'] as const)
          for (const phrase of row[language] ?? []) yield { concept, phrase, language };
        for (const language of ['en', 'es', 'de'] as const)
          for (const phrase of row.said?.[language] ?? []) yield { concept, phrase, language };
      }
    },
  };
}

export const compileVocabulary = (rows: readonly ConceptRow[]): Vocabulary =>
  createInSteps(() => compileInSteps(rows)).get();

/** The phrases of a row that mean it in a record as in a question, and are no abbreviations. */
export const listNames = ({ name, en = [], es = [], de = [], brands = [] }: ConceptRow): string[] => [
  name,
  ...en,
  ...es,
  ...de,
  ...brands,
];

/** The phrases that mean it only where somebody asks. */
export const listSaid = ({ said: { en = [], es = [], de = [] } = {} }: ConceptRow): string[] => [
  ...en,
  ...es,
  ...de,
];
