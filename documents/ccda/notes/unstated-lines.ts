/** Words of forms: alone they say nothing of a patient. */
const FORM_WORDS = new Set(
  `active administered authored been chemistries chemistry completed concern concerns current date dates finding have hematology
  inactive inches information laboratory levels loinc mmhg none normal noted onset pounds provided recorded resolution resolved
  snomed start started status stopped that this time tracker unknown value with from january february march april june july august
  september october november december`.split(/\s+/),
);
/** Letters of a word that is compared; shorter ones are units, routes and abbreviations, which entries write otherwise. */
const MIN_LETTERS = 4;
/** Letters that two forms of a word have in common: "smoking", "smoker". */
const STEM_LETTERS = 5;
const MIN_UNSTATED_WORDS = 2;

/**
 * Finds the lines of a narrative that say something else than the entries of the section: two of their words and half of
 * all stand in none of `stated`, the texts of its resources. The row of a table is one only where none of its words does and
 * its first cell has any, since entries say the same as a row in other words: "2 puffs", "generic substitution allowed".
 */
export function findUnstatedLines(narrative: string, stated: readonly string[]): string[] {
  const known = new Set(stated.flatMap(listWords).flatMap((word) => [word, toStem(word)]));
  return narrative.split('\n').filter((line) => isUnstated(line, known));
}

function isUnstated(line: string, known: ReadonlySet<string>): boolean {
  const words = listContentWords(line);
  const unstated = words.filter((word) => !known.has(word) && !known.has(toStem(word)));
  const [name = '', ...cells] = line.split(' | ');
  return cells.length > 0
    ? listContentWords(name).length > 0 && unstated.length === words.length
    : unstated.length >= Math.max(MIN_UNSTATED_WORDS, words.length / 2);
}

const listContentWords = (text: string): string[] =>
  [...new Set(listWords(text))].filter((word) => !FORM_WORDS.has(word));

const toStem = (word: string): string => word.slice(0, STEM_LETTERS);

const listWords = (text: string): string[] =>
  (text.toLowerCase().match(/\p{L}+/gu) ?? []).filter((word) => word.length >= MIN_LETTERS);
