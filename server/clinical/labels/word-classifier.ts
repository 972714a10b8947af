import type { RestrictedScope } from '../../../contract/data-categories.ts';
import { classifyCodesIn, statesNumber } from './codes-in-text.ts';
import { listNameReadings } from './name-words.ts';
import { classifyText, namesPart2 } from './words.ts';

/** Returns the classes that texts mention, and names without spaces, each by itself. */
export type ClassifyWords = (texts: Iterable<string>, names?: Iterable<string>) => Set<RestrictedScope>;

/** Characters of texts that are kept for the case that they come again, as most do: names of codes, one note in two resources. */
const MAX_KNOWN_CHARACTERS = 4 * 1024 * 1024;

/** Dates, times, numbers: a third of all texts, and neither word nor code; and UUIDs, of which each resource has its own. */
const WORDLESS =
  /^(?:[\d\s:.,+/-]{0,40}|\d{4}-\d\d-\d\dT[\d:.]{2,20}(?:Z|[+-][\d:]{2,6})?|(?:urn:uuid:)?[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12})$/;

/** Creates a classifier for one import, which reads a text once however often it comes. */
export function createWordClassifier(): ClassifyWords {
  const texts = createMemo(readClasses);
  const names = createMemo(readNameClasses);
  return (written, named = []) => {
    const found = new Set<RestrictedScope>();
    for (const text of written)
      if (!WORDLESS.test(text) || statesNumber(text)) for (const name of texts(text)) found.add(name);
    for (const each of named) if (!WORDLESS.test(each)) for (const name of names(each)) found.add(name);
    return found;
  };
}

type ReadClasses = (text: string) => readonly RestrictedScope[];

function createMemo(read: ReadClasses): ReadClasses {
  const known = new Map<string, readonly RestrictedScope[]>();
  let characters = 0;
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const classes = read(text);
    characters += text.length;
    if (characters > MAX_KNOWN_CHARACTERS) {
      known.clear();
      characters = text.length;
    }
    known.set(text, classes);
    return classes;
  };
}

const readClasses = (text: string): RestrictedScope[] => [
  ...classifyText(text),
  ...classifyCodesIn(text),
  ...readPart2(text),
];

/** Numbers in names are no codes: an id may be any number. */
const readNameClasses = (name: string): RestrictedScope[] =>
  [...listNameReadings(name)].flatMap((text) => [...classifyText(text), ...readPart2(text)]);

const readPart2 = (text: string): RestrictedScope[] => (namesPart2(text) ? ['SUD_PART_2'] : []);
