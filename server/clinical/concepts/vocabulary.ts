import { createCodeIndex, type CodeIndex } from './code-index.ts';
import { toConceptId, type Concept, type ConceptRow } from './concept.ts';
import { createPhraseTrie, type PhraseMatch, type Reading } from './phrase-trie.ts';

/** What the service knows of medicine: concepts, the phrases that mean them and the codes that name them. */
export interface Vocabulary {
  findPhrases(text: string, reading: Reading): PhraseMatch[];
  findByCode: CodeIndex['find'];
  getConcept(id: number): Concept | undefined;
  /** Every phrase with the concepts it may mean, for spelling: folded words are not what people read. */
  listPhrases(): Iterable<string>;
}

/** Compiles rows; a relation to what no row is leaves no trace, `findFaults` names it. */
export function compileVocabulary(rows: readonly ConceptRow[]): Vocabulary {
  const concepts = new Map<number, Concept>();
  const phrases = createPhraseTrie();
  const codes = createCodeIndex();
  const relate = createRelations(rows);
  for (const row of rows) {
    const { id: slug, name, kind } = row;
    const concept = { id: toConceptId(slug), slug, name, kind, ...relate(slug) };
    concepts.set(concept.id, concept);
    for (const phrase of listNames(row)) phrases.add(concept, phrase, false);
    for (const phrase of row.short ?? []) phrases.add(concept, phrase, true);
    codes.add(concept, row.codes);
  }
  return {
    findPhrases: (text, reading) => phrases.find(text, reading),
    findByCode: (system, code) => codes.find(system, code),
    getConcept: (id) => concepts.get(id),
    listPhrases: () => new Set(rows.flatMap(listNames)),
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

type Relations = Pick<Concept, 'ancestors' | 'related'>;

/** A concept is named by many others, and a hash for each took a fifth of the time. */
function createIds(): (slug: string) => number {
  const ids = new Map<string, number>();
  return (slug) => {
    const id = ids.get(slug) ?? toConceptId(slug);
    ids.set(slug, id);
    return id;
  };
}

function createRelations(rows: readonly ConceptRow[]): (slug: string) => Relations {
  const bySlug = new Map(rows.map((row) => [row.id, row]));
  const related = new Map<string, Set<string>>();
  const add = (one: string, other: string): void => {
    if (bySlug.has(one) && bySlug.has(other))
      related.set(one, (related.get(one) ?? new Set<string>()).add(other));
  };
  for (const row of rows)
    for (const other of row.related ?? []) {
      add(row.id, other);
      add(other, row.id);
    }
  const collect = (slug: string, found: Set<string>): Set<string> => {
    for (const wider of bySlug.get(slug)?.broader ?? [])
      if (bySlug.has(wider) && !found.has(wider)) collect(wider, found.add(wider));
    return found;
  };
  const toId = createIds();
  const toIds = (slugs: Iterable<string>): number[] => [...slugs].map(toId).sort((a, b) => a - b);
  return (slug) => {
    const ancestors = collect(slug, new Set());
    ancestors.delete(slug);
    return { ancestors: toIds(ancestors), related: toIds(related.get(slug) ?? []) };
  };
}
