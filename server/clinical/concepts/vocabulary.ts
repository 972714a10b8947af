import { createInSteps } from '../../platform/kernel/made-in-steps.ts';
import { createCodeIndex, type Codes } from './code-index.ts';
import type { Concept, ConceptRow } from './concept.ts';
import { createPhraseTable, type PhraseTable } from './phrase-table.ts';
import { createPhraseTrie, packFirstWords, type PhraseMatch, type Reading } from './phrase-trie.ts';
import { connectRows, type Relations } from './relations.ts';

/** What the service knows of medicine: concepts, the phrases that mean them and the codes that name them. */
export interface Vocabulary {
  findPhrases(text: string, reading: Reading): PhraseMatch[];
  /** Finds the phrases of a record, with abbreviations that mean a symptom where they are denied. */
  findMentions(text: string): PhraseMatch[];
  /** Finds the concepts of a code; of ICD those of its longest prefix that any has. */
  findByCode(system: string, code: string): readonly Concept[];
  getConcept(id: number): Concept | undefined;
  /** Every phrase once, for spelling: folded words are not what people read. */
  listPhrases(): Iterable<string>;
  /** Every name of every concept and what people say for it, with the language; no abbreviations. */
  listNames(): Iterable<ConceptName>;
}

export interface ConceptName {
  concept: Pick<Concept, 'id' | 'kind' | 'slug'>;
  phrase: string;
  /** Clinical names and brands count as English. */
  language: 'en' | 'es' | 'de';
}

/** A millisecond's work. */
const PHRASES_PER_STEP = 1_000;

export const listCodes = (rows: readonly ConceptRow[]): Codes[] => rows.map(({ codes = {} }) => codes);

/**
 * Compiles rows, with a pause after each step. What stays are tables of numbers: as objects, rows and phrases took 14 MB, which
 * a process at rest would hold for nothing. Codes are asked for when one is looked up.
 */
export function* compileInSteps(
  rows: readonly ConceptRow[],
  getCodes: () => readonly Codes[],
): Generator<void, Vocabulary> {
  const table = createPhraseTable(rows);
  yield;
  const relations = connectRows(rows);
  const first = yield* packFirstWords(table, PHRASES_PER_STEP);
  const concepts = new Map<number, Concept>();
  const getConcept = (row: number): Concept => {
    const concept = concepts.get(row) ?? relations.createConcept(row, table);
    concepts.set(row, concept);
    return concept;
  };
  const phrases = createPhraseTrie({ table, first, getConcept });
  const codes = createCodeIndex(getCodes);
  return {
    findPhrases: (text, reading) => phrases.find(text, reading).filter(({ isAmbiguous }) => !isAmbiguous),
    findMentions: (text) => phrases.find(text, 'record'),
    findByCode: (system, code) => Array.from(codes.find(system, code), getConcept),
    getConcept(id) {
      const row = relations.findRow(id);
      return row === undefined ? undefined : getConcept(row);
    },
    listPhrases: () => new Set(listLong(table).map((index) => table.getText(index))),
    listNames: () => listConceptNames(table, relations),
  };
}

/** All phrases but abbreviations. */
const listLong = (table: PhraseTable): IteratorObject<number, undefined> =>
  range(table.size).filter((index) => table.getUse(index) !== 'shorts');

function* range(size: number): Generator<number, undefined> {
  for (let index = 0; index < size; index++) yield index;
}

function* listConceptNames(table: PhraseTable, relations: Relations): Generator<ConceptName, undefined> {
  for (const index of listLong(table)) {
    const language = table.getLanguage(index);
    if (language !== null)
      yield { concept: relations.describe(table.getRow(index)), phrase: table.getText(index), language };
  }
}

export const compileVocabulary = (rows: readonly ConceptRow[]): Vocabulary =>
  createInSteps(() => compileInSteps(rows, () => listCodes(rows))).get();

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
