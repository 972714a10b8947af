import { createCodeIndex, type CodeIndex } from './code-index.ts';
import { toConceptId, type Concept, type ConceptRow } from './concept.ts';
import { createPhraseTrie, type PhraseMatch, type Reading } from './phrase-trie.ts';
import { resolveRelations, type Relations } from './relations.ts';

/** What the service knows of medicine: concepts, the phrases that mean them and the codes that name them. */
export interface Vocabulary {
  findPhrases(text: string, reading: Reading): PhraseMatch[];
  findByCode: CodeIndex['find'];
  getConcept(id: number): Concept | undefined;
  /** Every phrase with the concepts it may mean, for spelling: folded words are not what people read. */
  listPhrases(): Iterable<string>;
}

export function compileVocabulary(rows: readonly ConceptRow[]): Vocabulary {
  const concepts = new Map<number, Concept>();
  const phrases = createPhraseTrie();
  const codes = createCodeIndex();
  const relations = resolveRelations(rows);
  for (const row of rows) {
    const { id: slug, name, kind } = row;
    const concept = { id: toConceptId(slug), slug, name, kind, ...(relations.get(slug) as Relations) };
    concepts.set(concept.id, concept);
    for (const phrase of listNames(row)) phrases.add(concept, phrase, false);
    for (const phrase of row.short ?? []) phrases.add(concept, phrase, true);
    codes.add(concept, row.codes);
  }
  const all = new Set(rows.flatMap(listNames));
  return {
    findPhrases: (text, reading) => phrases.find(text, reading),
    findByCode: (system, code) => codes.find(system, code),
    getConcept: (id) => concepts.get(id),
    listPhrases: () => all,
  };
}

/** The phrases of a row that are no abbreviations. */
export const listNames = ({ name, en = [], es = [], de = [], brands = [] }: ConceptRow): string[] => [
  name,
  ...en,
  ...es,
  ...de,
  ...brands,
];
