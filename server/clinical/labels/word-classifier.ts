import type { RestrictedScope } from '../../../contract/data-categories.ts';
import { classifyCodesIn } from './codes-in-text.ts';
import { classifyText, namesPart2 } from './words.ts';

/** Returns the classes that texts mention, each by itself. */
export type ClassifyWords = (texts: Iterable<string>) => Set<RestrictedScope>;

/** Characters of texts that are kept for the case that they come again, as most do: names of codes, one note in two resources. */
const MAX_KNOWN_CHARACTERS = 4 * 1024 * 1024;

/** Dates, times, numbers: a third of all texts, and neither word nor code; and UUIDs, of which each resource has its own. */
const WORDLESS =
  /^(?!\d{4,6}-\d$|\d{6,18}$)(?:[\d\s:.,+/TZ-]{0,40}|(?:urn:uuid:)?[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12})$/;

/** Creates a classifier for one import, which reads a text once however often it comes. */
export function createWordClassifier(): ClassifyWords {
  const known = new Map<string, readonly RestrictedScope[]>();
  let characters = 0;
  const classify = (text: string): readonly RestrictedScope[] => {
    const classes = known.get(text) ?? readClasses(text);
    if (known.has(text)) return classes;
    characters += text.length;
    if (characters > MAX_KNOWN_CHARACTERS) {
      known.clear();
      characters = text.length;
    }
    known.set(text, classes);
    return classes;
  };
  return (texts) => {
    const found = new Set<RestrictedScope>();
    for (const text of texts) if (!WORDLESS.test(text)) for (const name of classify(text)) found.add(name);
    return found;
  };
}

const readClasses = (text: string): RestrictedScope[] => [
  ...classifyText(text),
  ...classifyCodesIn(text),
  ...(namesPart2(text) ? (['SUD_PART_2'] as const) : []),
];
