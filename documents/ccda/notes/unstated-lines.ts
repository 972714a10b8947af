import type { NarrativeLine } from '../render-narrative.ts';
import { hasClinicalContent } from './has-clinical-content.ts';
import { listCodes, listNumbers, withoutDates } from './narrative-numbers.ts';
import { listContentWords } from './narrative-words.ts';
import { saysMore } from './says-more.ts';
import { isKnown, type StatementGroup, type Statements } from './statements.ts';

/** A line of more words is a sentence: entries say the same in other words. */
const MAX_NAME_WORDS = 6;
/** What follows a name in its cell is another one if it is as short: otherwise a place, an instruction. */
const MAX_FURTHER_NAME_WORDS = 3;
const MIN_UNSTATED_WORDS = 2;

/**
 * Finds the lines of a narrative that say something else than the entries of the section: those whose name no resource has,
 * those with a number that no resource of that name has, and sentences of whose words half stand in none. The headings of
 * their tables come with them: a reading in the second column is that of another day. Where comparing costs too much, the
 * rest of the lines is kept.
 */
export function findUnstatedLines(lines: readonly NarrativeLine[], statements: Statements): string[] {
  const found: string[] = [];
  const known = new Map<string, boolean>();
  let headings: string[] = [];
  for (const { text, isHeading } of lines) {
    if (text === '') headings = [];
    else if (isHeading) headings.push(text);
    else {
      const isKept = known.get(text) ?? (hasClinicalContent(text) && isUnstated(text, statements));
      known.set(text, isKept);
      if (!isKept) continue;
      found.push(...headings, text);
      headings = [];
    }
  }
  return found;
}

function isUnstated(line: string, statements: Statements): boolean {
  if (statements.work.done >= statements.work.limit) return true;
  const cells = line.split(' | ');
  const isRow = cells.length > 1;
  if (!isRow && isUnstatedSentence(line, statements)) return true;
  const numbers = listNumbers(withoutDates(line));
  const areKnown = (groups: readonly StatementGroup[]): boolean => {
    statements.work.done += groups.length * numbers.length;
    return numbers.every((number) => groups.some((group) => group.getNumbers().has(number)));
  };
  const { names, cell } = findNames(cells);
  const isSentence = !isRow && listContentWords(line).length > MAX_NAME_WORDS;
  if (isSentence || names.length === 0) {
    const { everything } = statements;
    return (isSentence || isRow) && !numbers.every((number) => everything.numbers.has(number));
  }
  const named = names.map((name) => findNamed(name, line, statements));
  if (named.some((groups) => groups.length === 0) || saysMore(cell, names, statements)) return true;
  return !areKnown(named.flat()) && !areKnown(findByParts(line, statements));
}

/** Finds the resources that have all words of any part of a row: one may hold several readings. */
const findByParts = (line: string, statements: Statements): StatementGroup[] =>
  line
    .split(/ \| |;/)
    .map(listContentWords)
    .filter((words) => words.length > 0)
    .map((words) => statements.find(words));

function isUnstatedSentence(line: string, { everything }: Statements): boolean {
  const words = listContentWords(line);
  const unstated = words.filter((word) => !isKnown(word, everything));
  return unstated.length >= Math.max(MIN_UNSTATED_WORDS, words.length / 2);
}

/** Finds the first cell that names something: a label is passed over where another cell or another part has a name. */
function findNames(cells: readonly string[]): { names: string[][]; cell: string } {
  for (const isName of [isNoLabel, () => true])
    for (const cell of cells) {
      const names = listNames(cell, isName);
      if (names.length > 0) return { names, cell };
    }
  return { names: [], cell: '' };
}

/** Words of labels that rows of functional and mental status begin with: "ADL/IADL: Bathing", "Mental Function". */
const LABEL_WORDS = new Set(
  'adl adls assessment category cognitive function functional iadl iadls mental'.split(' '),
);

const isNoLabel = (words: readonly string[]): boolean => !words.every((word) => LABEL_WORDS.has(word));

/** Lists the words of each name in a cell or an item: what stands before brackets and colons, several between semicolons. */
const listNames = (cell: string, isName: (words: readonly string[]) => boolean): string[][] =>
  cell
    .split(';')
    .map((part) => ({ words: listNameWords(part, isName), isAddress: ZIP_CODE.test(part) }))
    .filter(
      ({ words, isAddress }, index) =>
        words.length > 0 && (index === 0 || (words.length <= MAX_FURTHER_NAME_WORDS && !isAddress)),
    )
    .map(({ words }) => words);

const ZIP_CODE = /\b\d{5}\b/;

const listNameWords = (part: string, isName: (words: readonly string[]) => boolean): string[] =>
  withoutDates(part)
    .split(/[([:]/)
    .map(listContentWords)
    .find((words) => words.length > 0 && isName(words)) ?? [];

/**
 * Finds the resources that a row names: those with all words of the name, else those with a code of the row and all words
 * of another cell.
 */
function findNamed(name: readonly string[], line: string, statements: Statements): StatementGroup[] {
  const named = statements.find(name);
  if (!named.isEmpty) return [named];
  const cells = line.split(' | ').map(listContentWords);
  return listCodes(line)
    .flatMap((code) => cells.map((words) => statements.find(words, code)))
    .filter((group) => !group.isEmpty);
}
