import { listCodes, listNumbers, listShorterForms } from './narrative-numbers.ts';
import { listWords, toStem } from './narrative-words.ts';

/** What a resource says: its words with their stems, its numbers and codes. */
export interface Statement {
  words: ReadonlySet<string>;
  numbers: ReadonlySet<string>;
}

/** The resources that have certain words. */
export interface StatementGroup {
  isEmpty: boolean;
  /** The numbers of all of them. */
  getNumbers(): ReadonlySet<string>;
}

/** What the resources of a section say, by word and by code. */
export interface Statements {
  everything: Statement;
  /** Finds those that have all of the words, and the code or number where one is given. */
  find(words: readonly string[], code?: string): StatementGroup;
  /** How many comparisons the section has cost, of how many that it may. */
  readonly work: { done: number; limit: number };
}

/**
 * Comparisons that a resource of the section may cost, so that a document is read in a time that grows with its size alone.
 * Published documents need 23 at most.
 */
const MAX_WORK_PER_STATEMENT = 400;
/** What a small section may cost in any case. */
const MIN_STATEMENTS = 1000;

const NOTHING: StatementGroup = { isEmpty: true, getNumbers: () => new Set() };

/** Collects what resources say; `texts` are the strings and numbers of each. */
export function collectStatements(texts: readonly (readonly string[])[]): Statements {
  const everything = { words: new Set<string>(), numbers: new Set<string>() };
  const index = { words: new Map<string, Statement[]>(), numbers: new Map<string, Statement[]>() };
  for (const statement of texts.map(createStatementReader()))
    for (const kind of ['words', 'numbers'] as const)
      for (const word of statement[kind]) {
        everything[kind].add(word);
        const others = index[kind].get(word);
        if (others === undefined) index[kind].set(word, [statement]);
        else others.push(statement);
      }
  const work = { done: 0, limit: MAX_WORK_PER_STATEMENT * Math.max(MIN_STATEMENTS, texts.length) };
  const group = (words: readonly string[], code?: string): StatementGroup => {
    const candidates = words.map((word) =>
      [...new Set([word, toStem(word)])].map((form) => index.words.get(form) ?? []),
    );
    if (code !== undefined) candidates.push([index.numbers.get(code) ?? []]);
    // By the rarest word: thousands of results may begin with the same one.
    const fewest = candidates.reduce((one, other) => (count(other) < count(one) ? other : one)).flat();
    const statements = [...new Set(fewest)].filter(
      (statement) =>
        words.every((word) => isKnown(word, statement)) &&
        (code === undefined || statement.numbers.has(code)),
    );
    work.done += fewest.length;
    return toGroup(statements, work);
  };
  const groups = new Map<string, StatementGroup>();
  return {
    everything,
    work,
    find(words, code) {
      if (words.length === 0) return NOTHING;
      const key = [code ?? '', ...words].join(' ');
      const found = groups.get(key) ?? group(words, code);
      groups.set(key, found);
      return found;
    },
  };
}

function toGroup(statements: readonly Statement[], work: Statements['work']): StatementGroup {
  let numbers = statements.length === 1 ? statements[0]?.numbers : undefined;
  return {
    isEmpty: statements.length === 0,
    getNumbers() {
      if (numbers !== undefined) return numbers;
      const found = new Set<string>();
      for (const statement of statements) {
        work.done += statement.numbers.size;
        for (const number of statement.numbers) found.add(number);
      }
      numbers = found;
      return found;
    },
  };
}

const count = (lists: readonly (readonly Statement[])[]): number =>
  lists.reduce((sum, list) => sum + list.length, 0);

/** Creates a function that lists the terms of a resource; of a text that many resources have, once. */
function createStatementReader(): (texts: readonly string[]) => Statement {
  const known = new Map<string, Record<keyof Statement, readonly string[]>>();
  const read = (text: string) => {
    const numbers = listNumbers(text);
    return {
      words: listWords(text).flatMap((word) => [word, toStem(word)]),
      numbers: [...numbers, ...numbers.flatMap(listShorterForms), ...listCodes(text)],
    };
  };
  return (texts) => {
    const statement = { words: new Set<string>(), numbers: new Set<string>() };
    for (const text of texts) {
      const terms = known.get(text) ?? read(text);
      known.set(text, terms);
      for (const word of terms.words) statement.words.add(word);
      for (const number of terms.numbers) statement.numbers.add(number);
    }
    return statement;
  };
}

/** Says whether a word, or another of its stem, is among those of a statement. */
export const isKnown = (word: string, { words }: Statement): boolean =>
  words.has(word) || words.has(toStem(word));
