import { remove as readAsLatin } from 'confusables';

/** Names that people trust with their health, and the domains that may bear them. */
const KNOWN: readonly (readonly [name: string, ...domains: string[]])[] = [
  ['Claude', 'claude.ai', 'claude.com', 'anthropic.com'],
  ['Anthropic', 'anthropic.com', 'claude.ai', 'claude.com'],
  ['ChatGPT', 'chatgpt.com', 'openai.com'],
  ['OpenAI', 'openai.com', 'chatgpt.com'],
  ['Codex', 'openai.com', 'chatgpt.com'],
  ['Gemini', 'google.com', 'google.dev'],
  ['Google', 'google.com', 'google.dev'],
  ['Copilot', 'microsoft.com', 'github.com', 'visualstudio.com', 'vscode.dev'],
  ['Microsoft', 'microsoft.com', 'live.com', 'azure.com'],
  ['Visual Studio Code', 'microsoft.com', 'visualstudio.com', 'vscode.dev'],
  ['GitHub', 'github.com'],
  ['Cursor', 'cursor.com', 'cursor.sh'],
  ['Perplexity', 'perplexity.ai'],
  ['Mistral', 'mistral.ai'],
  ['DeepSeek', 'deepseek.com'],
  ['Grok', 'x.ai', 'grok.com'],
  ['Siri', 'apple.com'],
  ['Apple', 'apple.com'],
  ['Alexa', 'amazon.com'],
  ['Amazon', 'amazon.com', 'amazon.dev', 'aws.amazon.com'],
  ['Meta', 'meta.com', 'meta.ai', 'facebook.com'],
  ['WhatsApp', 'whatsapp.com', 'meta.com'],
  ['Samsung', 'samsung.com'],
  ['MyChart', 'mychart.org', 'epic.com'],
  ['Epic', 'epic.com', 'mychart.org'],
  ['Cerner', 'cerner.com', 'oracle.com'],
  ['Oracle Health', 'oracle.com'],
  ['athenahealth', 'athenahealth.com'],
  ['Medicare', 'medicare.gov', 'cms.gov'],
  ['Medicaid', 'medicaid.gov', 'cms.gov'],
  ['Blue Button', 'bluebutton.cms.gov', 'cms.gov'],
  ['CommonHealth', 'commonhealth.org'],
];

/** Words a letter away from a known name that mean something else. */
const ORDINARY = new Set(
  'alex ample apples apply clause code coded coder codes cursory goggle medicate'.split(' '),
);

const OURS = 'Chartgate';

/** Below this an organization's name is too common a word to be somebody's alone. */
const SHORTEST_OWN = 6;

interface Named {
  name: string | null;
  /** The host that the client's document came from; null: nobody has checked who it is. */
  host: string | null;
  /** Names of the organization and its project. */
  own: readonly string[];
}

/**
 * The name that a client's is easily mistaken for, and that it has no right to; null: none. A client whose host is known
 * is asked for names of others only: the page shows the host beside.
 */
export function looksLike({ name, host, own }: Named): string | null {
  if (name === null) return null;
  const ours = host === null ? [OURS, ...own].map((each) => ({ name: each, shape: shapeOf(each) })) : [];
  const longest = Math.max(...[...KNOWN_SHAPES, ...ours].map(({ shape }) => shape.length)) + 2;
  const readings = readingsOf(name, longest);
  const imitated =
    KNOWN_SHAPES.find(
      ({ shape, domains }) => imitates(readings, shape) && !(host !== null && belongs(host, domains)),
    ) ?? ours.find(({ shape }) => shape.length >= SHORTEST_OWN && imitates(readings, shape));
  if (imitated) return imitated.name;
  return host === null && mixesScripts(name) ? readAsLatin(name.normalize('NFKC')) : null;
}

const belongs = (host: string, domains: readonly string[]): boolean =>
  domains.some((domain) => host === domain || host.endsWith(`.${domain}`));

/** What letters and digits are drawn instead of others; `i` and `l` are one stroke, and so is an upper-case `I`. */
const DRAWN_ALIKE: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'l',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '9': 'g',
  '|': 'l',
  '!': 'l',
  $: 's',
  '@': 'a',
  i: 'l',
};

/** A name as a hurried eye sees it: Latin letters alone. */
function shapeOf(text: string): string {
  const letters = readAsLatin(
    text.normalize('NFKD').replace(/[\p{M}\p{C}\p{Default_Ignorable_Code_Point}]/gu, ''),
  );
  return letters
    .toLowerCase()
    .replace(/[0-9|!$@i]/g, (sign) => DRAWN_ALIKE[sign] ?? sign)
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
    .replace(/[^\p{L}\p{N}]/gu, '');
}

const KNOWN_SHAPES = KNOWN.map(([name, ...domains]) => ({ name, domains, shape: shapeOf(name) }));

interface Reading {
  shape: string;
  /** A bit for each of the Latin letters in it. */
  letters: number;
  /** A word of its own, whatever it is near to. */
  ordinary: boolean;
}

const CJK = String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]`;

/** Between a small and a capital letter, and between Latin letters and those that are written without spaces. */
const SEAM = new RegExp(
  String.raw`(?<=\p{Ll})(?=\p{Lu})|(?<=${CJK})(?=\p{sc=Latin})|(?<=\p{sc=Latin})(?=${CJK})`,
  'gu',
);

const BETWEEN_WORDS = /[\s\p{Pd}\p{Pc}.,:;/\\()[\]{}'"“”‘’·•+&*#]+/u;

/** What of a name may be somebody's: words in a row, without what is between them, as long as the longest name. */
function readingsOf(name: string, longest: number): Reading[] {
  const readings = new Map<string, Reading>();
  for (const text of new Set([name, name.replace(SEAM, ' ')])) {
    const words = text.split(BETWEEN_WORDS).map((plain) => ({ plain, shape: shapeOf(plain) }));
    for (const first of words.keys()) {
      let shape = '';
      for (const word of words.slice(first)) {
        const ordinary = shape === '' && ORDINARY.has(word.plain.toLowerCase());
        shape += word.shape;
        if (shape.length > longest) break;
        if (!readings.has(shape)) readings.set(shape, { shape, letters: lettersOf(shape), ordinary });
      }
    }
  }
  return [...readings.values()];
}

const lettersOf = (shape: string): number =>
  Array.from(shape).reduce((bits, letter) => bits | (1 << (letter.charCodeAt(0) - 97)), 0);

/** Whether one reading is the name, or almost. Most are told apart by their lengths and letters alone. */
function imitates(readings: readonly Reading[], shape: string): boolean {
  const most = tolerated(shape);
  const letters = lettersOf(shape);
  return readings.some(
    (read) =>
      read.shape === shape ||
      (!read.ordinary &&
        Math.abs(read.shape.length - shape.length) <= most &&
        bitsIn(read.letters ^ letters) <= 2 * most &&
        distance(read.shape, shape) <= most),
  );
}

function bitsIn(number: number): number {
  let bits = 0;
  for (let rest = number; rest !== 0; rest &= rest - 1) bits++;
  return bits;
}

/** Letters that may be wrong: none in a short name, which too many others are near to. */
const tolerated = ({ length }: string): number => (length < 5 ? 0 : length < 10 ? 1 : 2);

/** Of letters to put in, leave out, change or exchange with the next (optimal string alignment). */
function distance(one: string, other: string): number {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, at) => at)];
  const cell = (row: number, column: number): number => rows[row]?.[column] ?? Infinity;
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= other.length; j++) {
      const changed = cell(i - 1, j - 1) + (one[i - 1] === other[j - 1] ? 0 : 1);
      const crossed = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      row.push(
        Math.min(
          cell(i - 1, j) + 1,
          cell(i, j - 1) + 1,
          changed,
          crossed ? cell(i - 2, j - 2) + 1 : Infinity,
        ),
      );
    }
  }
  return cell(one.length, other.length);
}

/** Scripts that no language mixes within a word; Chinese, Japanese and Korean stand beside Latin letters. */
const SCRIPTS = [
  'Latin',
  'Cyrillic',
  'Greek',
  'Armenian',
  'Georgian',
  'Cherokee',
  'Coptic',
  'Lisu',
  'Canadian_Aboriginal',
  'Deseret',
  'Hebrew',
  'Arabic',
  'Thai',
  'Devanagari',
].map((script) => new RegExp(`\\p{sc=${script}}`, 'u'));

const mixesScripts = (name: string): boolean =>
  [...name.matchAll(/[\p{L}\p{M}]+/gu)].some(
    ([word]) => SCRIPTS.filter((script) => script.test(word)).length > 1,
  );
