import { listCodes, listNumbers, listShorterForms } from './narrative-numbers.ts';
import { listWords, toStem } from './narrative-words.ts';

/** What a resource says: its words with their stems, its numbers and codes. */
export interface Statement {
  words: ReadonlySet<string>;
  numbers: ReadonlySet<string>;
}

/** What the resources of a section say, by word and by code. */
export interface Statements {
  everything: Statement;
  /** Those that have all of the words. */
  findWithAll(words: readonly string[]): readonly Statement[];
  findByCode(code: string): readonly Statement[];
}

/** Collects what resources say; `texts` are the strings and numbers of each. */
export function collectStatements(texts: readonly (readonly string[])[]): Statements {
  const everything = { words: new Set<string>(), numbers: new Set<string>() };
  const index = { words: new Map<string, Statement[]>(), numbers: new Map<string, Statement[]>() };
  for (const statement of texts.map(toStatement))
    for (const kind of ['words', 'numbers'] as const)
      for (const word of statement[kind]) {
        everything[kind].add(word);
        const others = index[kind].get(word);
        if (others === undefined) index[kind].set(word, [statement]);
        else others.push(statement);
      }
  const found = new Map<string, readonly Statement[]>();
  const findWithAll = ([first = '', ...others]: readonly string[]): readonly Statement[] => {
    const similar = new Set([first, toStem(first)].flatMap((word) => index.words.get(word) ?? []));
    return [...similar].filter((statement) => others.every((word) => isKnown(word, statement)));
  };
  return {
    everything,
    // Thousands of readings have one name.
    findWithAll(words) {
      const key = words.join(' ');
      const known = found.get(key) ?? findWithAll(words);
      found.set(key, known);
      return known;
    },
    findByCode: (code) => index.numbers.get(code) ?? [],
  };
}

const toStatement = (texts: readonly string[]): Statement => ({
  words: new Set(texts.flatMap(listWords).flatMap((word) => [word, toStem(word)])),
  numbers: new Set(
    texts.flatMap((text) => {
      const numbers = listNumbers(text);
      return [...numbers, ...numbers.flatMap(listShorterForms), ...listCodes(text)];
    }),
  ),
});

/** Says whether a word, or another of its stem, is among those of a statement. */
export const isKnown = (word: string, { words }: Statement): boolean =>
  words.has(word) || words.has(toStem(word));
