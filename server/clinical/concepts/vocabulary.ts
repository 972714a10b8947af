import { createInSteps } from '../../platform/kernel/made-in-steps.ts';
import { createCodeIndex } from './code-index.ts';
import type { Concept, ConceptRow } from './concept.ts';
import {
  createFirstWords,
  createPhraseTrie,
  type FirstWords,
  type Phrase,
  type PhraseMatch,
  type Reading,
} from './phrase-trie.ts';
import { connectRows, type RelatedRow, type Relations } from './relations.ts';

/** What the service knows of medicine: concepts, the phrases that mean them and the codes that name them. */
export interface Vocabulary {
  findPhrases(text: string, reading: Reading): PhraseMatch[];
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

/** The rows that a vocabulary is made of, each read when it is asked for. */
export interface ConceptRows {
  readonly size: number;
  get(index: number): ConceptRow;
}

/** A millisecond's work. */
const ROWS_PER_STEP = 100;

/**
 * Compiles rows, with a pause after each step. What stays are tables of numbers: as objects, rows and phrases took 14 MB, which
 * a process at rest would hold for nothing.
 */
export function* compileInSteps(rows: ConceptRows): Generator<void, Vocabulary> {
  const firstWords = createFirstWords();
  const relatedRows: RelatedRow[] = [];
  for (let index = 0; index < rows.size; index++) {
    if (index % ROWS_PER_STEP === 0) yield;
    const row = rows.get(index);
    const { id, kind, broader, related } = row;
    relatedRows.push({ id, kind, broader, related });
    firstWords.add(index, toPhrases(row));
  }
  yield;
  const relations = connectRows(relatedRows);
  yield;
  return openVocabulary(rows, relations, firstWords.pack());
}

function openVocabulary(
  rows: ConceptRows,
  relations: Relations,
  firstWords: ReturnType<FirstWords['pack']>,
): Vocabulary {
  const concepts = new Map<number, Concept>();
  const toConcept = (index: number, name?: string): Concept => {
    const known = concepts.get(index);
    if (known !== undefined) return known;
    const concept = relations.createConcept(index, name ?? rows.get(index).name);
    concepts.set(index, concept);
    return concept;
  };
  const phrases = createPhraseTrie(firstWords, (index) => {
    const row = rows.get(index);
    return { concept: toConcept(index, row.name), phrases: toPhrases(row) };
  });
  const codes = createCodeIndex(() => iterate(rows).map(({ row }) => row.codes));
  return {
    findPhrases: (text, reading) => phrases.find(text, reading),
    findByCode: (system, code) => Array.from(codes.find(system, code), (index) => toConcept(index)),
    getConcept(id) {
      const index = relations.findIndex(id);
      return index === undefined ? undefined : toConcept(index);
    },
    listPhrases: () => new Set(iterate(rows).flatMap(({ row }) => [...listNames(row), ...listSaid(row)])),
    *listNames() {
      for (const { index, row } of iterate(rows)) {
        const concept = { id: relations.getId(index), kind: row.kind, slug: row.id };
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

function* iterate(rows: ConceptRows): Generator<{ index: number; row: ConceptRow }, undefined> {
  for (let index = 0; index < rows.size; index++) yield { index, row: rows.get(index) };
}

export const compileVocabulary = (rows: readonly ConceptRow[]): Vocabulary =>
  createInSteps(() => compileInSteps({ size: rows.length, get: (index) => rows[index] as ConceptRow })).get();

const toPhrases = (row: ConceptRow): Phrase[] => [
  ...listNames(row).map((text) => ({ text, use: 'names' as const })),
  ...listSaid(row).map((text) => ({ text, use: 'said' as const })),
  ...(row.short ?? []).map((text) => ({ text, use: 'shorts' as const })),
];

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
