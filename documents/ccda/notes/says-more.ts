import { listContentWords } from './narrative-words.ts';
import { isKnown, type Statements } from './statements.ts';

/**
 * Says whether a cell denies what it names and no resource of that name does, or says in brackets what no resource of the
 * section says: "No diabetes", "Diabetes (HIV)". A row that is found by its code has other words than its resource.
 */
export function saysMore(
  cell: string,
  names: readonly (readonly string[])[],
  statements: Statements,
): boolean {
  if (names.some((name) => statements.find(name).isEmpty)) return false;
  if (NEGATION.test(cell) && !names.some((name) => isDenied(name, statements))) return true;
  const outside = cell.replace(IN_BRACKETS, ' ').toLowerCase();
  return (cell.match(IN_BRACKETS) ?? [])
    .flatMap(listContentWords)
    .some(
      (word) =>
        !BRACKET_WORDS.has(word) && !isKnown(word, statements.everything) && !isAbbreviation(word, outside),
    );
}

const isDenied = (name: readonly string[], statements: Statements): boolean =>
  NEGATIONS.some((negation) => !statements.find([...name, negation]).isEmpty);

const NEGATIONS = [
  'no',
  'not',
  'none',
  'never',
  'denies',
  'denied',
  'negative',
  'absent',
  'without',
  'refuted',
];
/** Those that are no part of a name; "No. 5" is a number. */
const NEGATION = /\b(?:not?|none|ruled out)\b(?!\s*[.#\d])|:\s*(?:negative|denie[ds]|absent|never)\b/i;
const IN_BRACKETS = /\([^()]*\)|\[[^[\]]*\]/g;
/** Tags of SNOMED CT, and what a resource says by a code or a flag. */
const BRACKET_WORDS = new Set(
  `alive cause death deceased disorder entity event morphologic abnormality observable ordered out pending planned product qualifier regime ruled scheduled situation
  substance therapy`.split(/\s+/),
);

/** Says whether a word has the letters of a text in their order: "HTN" those of "hypertension". */
function isAbbreviation(word: string, text: string): boolean {
  let from = 0;
  for (const letter of word) {
    const at = text.indexOf(letter, from);
    if (at < 0) return false;
    from = at + 1;
  }
  return word.length <= MAX_ABBREVIATION_LENGTH;
}

const MAX_ABBREVIATION_LENGTH = 6;
