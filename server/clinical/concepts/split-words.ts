/** A word of a text as phrases are compared, with its place. */
export interface Word {
  folded: string;
  start: number;
  end: number;
  /** A sentence, a paragraph or an item of a list ends before it: no phrase goes across. */
  isFirst: boolean;
}

/** Letters and digits apart, so that "B12", "B-12" and "b 12" are the same two words. */
const WORD = /\p{L}[\p{L}\p{M}]*|\p{N}+/uy;
const APOSTROPHE = new Set(["'", '’', 'ʼ', '`']);

/** Articles in three languages: "azúcar en la sangre" and "azúcar en sangre" are one phrase. In capitals they are abbreviations. */
const ARTICLES = new Set([
  'the',
  'The',
  'THE',
  'el',
  'la',
  'los',
  'las',
  'der',
  'die',
  'das',
  'dem',
  'den',
  'des',
]);

/** "What did he die of" has no article in it, nor has "wants to die". */
const DYING_BEFORE = /(?:^|\W)(?:he|she|they|to|did|will|dad|mom|mum|father|mother|grandma|grandpa)\s+$/i;
const DYING_AFTER = /^\s+(?:of|from)(?:\s|$)/i;
const isDying = (text: string, start: number, end: number): boolean =>
  DYING_BEFORE.test(text.slice(Math.max(0, start - 12), start)) || DYING_AFTER.test(text.slice(end, end + 6));

/** Splits a text into folded words: signs are spaces, articles and the s of a genitive are left out. */
export function splitWords(text: string): Word[] {
  const words: Word[] = [];
  for (let word = findWord(text, 0); word !== null; word = findWord(text, word.end)) words.push(word);
  return words;
}

/** The first word of a text, folded; null where it has none. */
export const foldFirstWord = (text: string): string | null => findWord(text, 0)?.folded ?? null;

function findWord(text: string, after: number): Word | null {
  let from = after;
  for (let start = findStart(text, from); start < text.length; start = findStart(text, from)) {
    const end = findEnd(text, start);
    const written = text.slice(start, end);
    const isGenitive =
      (written === 's' || written === 'S') && APOSTROPHE.has(text[start - 1] ?? '') && from === start - 1;
    const isArticle = ARTICLES.has(written) && !(written === 'die' && isDying(text, start, end));
    if (!isGenitive && !isArticle)
      return { folded: foldWord(written), start, end, isFirst: isBreak(text, from, start) };
    from = end;
  }
  return null;
}

/** Nearly all of a text is ASCII, of which a table knows the words: the expression is asked about the rest. */
const [OTHER, LETTER, DIGIT] = [0, 1, 2];
const ASCII = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  return /[a-z]/i.test(character) ? LETTER : /\d/.test(character) ? DIGIT : OTHER;
});

/** Finds where the next word begins; the text's length where none does. */
function findStart(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code < 128 ? ASCII[code] !== OTHER : matchWord(text, at) !== at) return at;
    at += code < 128 || (text.codePointAt(at) as number) <= 0xffff ? 1 : 2;
  }
  return text.length;
}

function findEnd(text: string, start: number): number {
  const kind = ASCII[text.charCodeAt(start)];
  let end = start;
  while (end < text.length && ASCII[text.charCodeAt(end)] === kind) end++;
  return kind !== undefined && !(text.charCodeAt(end) >= 128) ? end : matchWord(text, start);
}

/** Returns where the word that begins here ends; the same place where none begins. */
function matchWord(text: string, start: number): number {
  WORD.lastIndex = start;
  return WORD.test(text) ? WORD.lastIndex : start;
}

/** "E. coli" and "St. John" go on: what a point ends has more than two letters. */
function isBreak(text: string, from: number, start: number): boolean {
  if (from === 0) return true;
  const gap = text.slice(from, start);
  if (gap === ' ' || gap === ', ') return false;
  if (/[;!?|•]|:\s|\n\s*\n|\n\s*[-*#]/.test(gap)) return true;
  return /\.\s/.test(gap) && /[\p{L}\p{N}]{3}$/u.test(text.slice(Math.max(0, from - 3), from));
}

/** Plurals that no rule makes, and words that look like one. */
const IRREGULAR = new Map([
  ['feet', 'foot'],
  ['teeth', 'tooth'],
  ['children', 'child'],
  ['women', 'woman'],
  ['men', 'man'],
  ['diagnoses', 'diagnosis'],
  ['metastases', 'metastasis'],
  ['aids', 'aids'],
  ['del', 'de'],
]);

/** Lower case, without diacritics, British "ae" and "oe" as American "e", English plurals as singulars. */
export function foldWord(written: string): string {
  let word = written.toLowerCase();
  // Nearly all words are ASCII, and `normalize` is the slowest step.
  if (!/^[a-z0-9]*$/.test(word))
    word = word
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .replaceAll('ß', 'ss')
      .replaceAll('æ', 'ae')
      .replaceAll('œ', 'oe');
  if (word.length >= 5 && (word.includes('ae') || word.includes('oe'))) word = word.replace(/[ao]e/g, 'e');
  return IRREGULAR.get(word) ?? foldPlural(word);
}

/** "Headaches", unlike "branches". */
const ACHES = /^(?:head|tooth|teeth|ear|stomach|belly|tummy|back|heart|body|muscle|face|)aches$/;

function foldPlural(word: string): string {
  if (word.length < 4 || !word.endsWith('s') || /[siu]s$/.test(word)) return word;
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.length > 4 && /(?:ss|sh|ch|x|us)es$/.test(word) && !ACHES.test(word)) return word.slice(0, -2);
  return word.slice(0, -1);
}

const IS_ASCII = /^[\0-\x7f]*$/;

/** The ways in which a phrase is written: German umlauts also as "ae", "oe", "ue". */
export function listSpellings(phrase: string): string[] {
  if (IS_ASCII.test(phrase)) return [phrase];
  const composed = phrase.normalize('NFC');
  const spelled = composed.replace(/[äöüÄÖÜ]/g, (letter) => `${letter.normalize('NFKD')[0] ?? ''}e`);
  return spelled === composed ? [composed] : [composed, spelled];
}
