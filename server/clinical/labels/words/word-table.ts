/**
 * The words of one class, without accents. In the notation of regular expressions, but for three signs: a space stands for
 * whatever separates two words (also a hyphen or the end of a line), `~` for the same or nothing, `*` for any end of the word; `[*]` is that sign.
 */
export interface ClassWords {
  /** In either case. */
  words: readonly string[];
  /** Words that are so written: "AIDS" is no hearing aid. */
  exact: readonly string[];
}

/** Expressions that match at the beginning of a word, by the class that they speak for. */
interface Matcher<Name> {
  name: Name;
  expression: RegExp;
  /** By the number of a character: whether it is the fourth of one of the words. */
  fourth: Uint8Array;
}

/** The expressions whose words begin with the same three characters. */
export type WordTable<Name> = readonly (readonly Matcher<Name>[] | undefined)[];

const OTHER = 36;

/** The number of a letter in either case or of a digit; all else is OTHER. */
const CHARACTERS = Uint8Array.from({ length: 128 }, (_, code) => {
  const digit = parseInt(String.fromCharCode(code), 36);
  return Number.isNaN(digit) ? OTHER : digit;
});

/** Reads within bounds alone: V8 makes every later read slow once one of a list or text was beyond its end. */
function numberAt(text: string, at: number): number {
  if (at >= text.length) return OTHER;
  const code = text.charCodeAt(at);
  return code < 128 ? (CHARACTERS[code] ?? OTHER) : OTHER;
}

/**
 * Compiles the words of all classes so that a text is read once and most words of it are passed by one look: only where the
 * first four characters are those of a listed word is its expression tried. A single expression of all words tries each
 * of them at each word, and V8 stops optimizing it in a process that has compiled many.
 */
export function compileWordTable<Name extends string>(
  classes: Readonly<Record<Name, ClassWords>>,
): WordTable<Name> {
  const table: Matcher<Name>[][] = [];
  for (const name of Object.keys(classes) as Name[])
    for (const [patterns, flags] of [
      [classes[name].words, 'iy'],
      [classes[name].exact, 'y'],
    ] as const) {
      const alternatives = patterns.flatMap(splitAlternatives).flatMap(expandBeginning);
      for (const [beginning, sources] of Map.groupBy(alternatives, readKey)) {
        const matcher = { name, expression: compileWords(sources, flags), fourth: markFourth(sources) };
        for (const key of listKeys(beginning)) (table[key] ??= []).push(matcher);
      }
    }
  return Array.from(table);
}

/** Adds the classes of the words that a text without accents has to those that are known already. */
export function findWords<Name>(table: WordTable<Name>, text: string, found: Set<Name>): void {
  let isInside = false;
  for (let at = 0; at < text.length; at++) {
    const first = numberAt(text, at);
    if (first !== OTHER && !isInside) {
      const key = (first * 37 + numberAt(text, at + 1)) * 37 + numberAt(text, at + 2);
      const matchers = table[key];
      if (matchers !== undefined) tryMatchers(matchers, { text, at, found });
    }
    isInside = first !== OTHER;
  }
}

function tryMatchers<Name>(
  matchers: readonly Matcher<Name>[],
  { text, at, found }: { text: string; at: number; found: Set<Name> },
): void {
  const next = numberAt(text, at + 3);
  for (const { name, expression, fourth } of matchers) {
    if (fourth[next] === 0 || found.has(name)) continue;
    expression.lastIndex = at;
    if (expression.test(text)) found.add(name);
  }
}

const compileWords = (sources: readonly string[], flags: string): RegExp =>
  new RegExp(`(?:${sources.map(translate).join('|')})(?![A-Za-z\\d])`, flags);

const translate = (pattern: string): string =>
  pattern
    .replaceAll(/\[\*\]|\*/g, (sign) => (sign === '*' ? '[A-Za-z\\d]*' : sign))
    .replaceAll(' ?', '[\\s_-]{0,9}')
    .replaceAll(' ', '[\\s_-]{1,9}')
    .replaceAll('~', '[\\s_-]{0,2}');

/** Splits a pattern at those of its bars that stand in no parentheses. */
function splitAlternatives(pattern: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < pattern.length; at++) {
    const sign = pattern[at];
    if (sign === '\\') at++;
    else if (sign === '(') depth++;
    else if (sign === ')') depth--;
    else if (sign === '|' && depth === 0) {
      parts.push(pattern.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, pattern.slice(start)];
}

/** Writes alternatives at the beginning of a pattern out, so that each has characters there that are known. */
function expandBeginning(pattern: string): string[] {
  const [condition, rest] = splitCondition(pattern);
  const [short] = /^[a-z\d]{1,2}(?=~| \?)/i.exec(rest) ?? [];
  if (short !== undefined) {
    const behind = rest.slice(short.length).replace(/^(?:~| \?)/, '');
    return [' ', ''].map((sign) => condition + short + sign + behind);
  }
  if (!rest.startsWith('(?:')) return [pattern];
  const end = findClosing(rest);
  const isOptional = rest[end + 1] === '?';
  const behind = rest.slice(isOptional ? end + 2 : end + 1);
  return [...splitAlternatives(rest.slice(3, end)), ...(isOptional ? [''] : [])].flatMap((beginning) =>
    expandBeginning(condition + beginning + behind),
  );
}

/** Splits what must or must not stand before a word from the word. */
function splitCondition(pattern: string): [condition: string, rest: string] {
  if (!pattern.startsWith('(?<')) return ['', pattern];
  const end = findClosing(pattern) + 1;
  const [condition, rest] = splitCondition(pattern.slice(end));
  return [pattern.slice(0, end) + condition, rest];
}

function findClosing(pattern: string): number {
  let depth = 0;
  for (let at = 0; at < pattern.length; at++) {
    if (pattern[at] === '\\') at++;
    else if (pattern[at] === '(') depth++;
    else if (pattern[at] === ')' && --depth === 0) return at;
  }
  throw new Error(`the parentheses of ${pattern} are not closed`);
}

/** Returns the four characters at most that every word of a pattern begins with. */
function readBeginning(pattern: string): string {
  const [, rest] = splitCondition(pattern);
  const signs = rest.replaceAll(/\[[.]\]|[/&](?!\?)/g, ' ');
  const [written = ''] = /^[a-z\d][a-z\d ]{0,4}/i.exec(signs) ?? [];
  const isOptional = /^[?{]/.test(signs.slice(written.length));
  const beginning = (isOptional ? written.slice(0, -1) : written).slice(0, 4).toLowerCase();
  if (beginning === '') throw new Error(`${pattern} does not begin with a letter`);
  return beginning;
}

const readKey = (pattern: string): string => readBeginning(pattern).slice(0, 3);

function markFourth(patterns: readonly string[]): Uint8Array {
  const marks = new Uint8Array(OTHER + 1);
  for (const beginning of patterns.map(readBeginning))
    if (beginning.length < 4) marks.fill(1);
    else marks[numberAt(beginning, 3)] = 1;
  return marks;
}

/** Lists the keys of the table for all words with a beginning. */
function listKeys(beginning: string): number[] {
  let keys = [0];
  for (let at = 0; at < 3; at++) {
    const next = at < beginning.length ? [numberAt(beginning, at)] : Array.from({ length: 37 }, (_, n) => n);
    keys = keys.flatMap((key) => next.map((number) => key * 37 + number));
  }
  return keys;
}
