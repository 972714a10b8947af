import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { parseAst } from 'vite';

const ROOT = path.join(import.meta.dirname, '../..');

/** Patterns that need not be linear, by file or by what they begin with, and why. */
const BOUNDED = new Map([
  ['documents/ccda/sections/absent-statement.ts', 'isPlaceholder: below 120 characters'],
  ['documents/ccda/units.ts', 'isUcumUnit: up to 100 characters'],
  ['server/clinical/concepts/phrase-trie.ts', 'isWrittenAsShort: abbreviations of the vocabulary'],
  ['server/clinical/entries/code-names.ts', 'its own table'],
  ['server/clinical/search/search-query.ts', 'a query has up to 1,000 characters'],
  ['server/platform/objects/config.ts', 'the environment'],
  ['server/settings.ts', 'the environment'],
  ['server/setting-types.ts', 'the environment'],
  ['server/surfaces/mcp/render/withheld-text.ts', 'sentences of our own'],
  ['"(?:', 'strings of well-formed JSON, which all end'],
  ['"((?:', 'strings of well-formed JSON, which all end'],
  ['<!--(?!', 'isSafeNarrative: at one place, and only once where it does not match'],
  ['\\s+[\\w.:-]+\\s*=', 'isSafeNarrative: at one place'],
  ['([\\w.:-]+)\\s*=', 'isSafeNarrative: attributes that were found to be well-formed'],
]);

const isBounded = (place: string): boolean => BOUNDED.keys().some((start) => place.startsWith(start));

interface Pattern {
  place: string;
  expression: RegExp;
}

function listPatterns(): Pattern[] {
  const files = ['server', 'documents', 'contract'].flatMap((folder) =>
    fs
      .globSync(`${folder}/**/*.ts`, { cwd: ROOT })
      .filter((file) => !file.endsWith('.test.ts') && !isBounded(file)),
  );
  return files.flatMap((file) => {
    const source = fs.readFileSync(path.join(ROOT, file), 'utf8');
    const found: Pattern[] = [];
    visit(parseAst(source, { lang: 'ts' }), (regex, start) => {
      if (isBounded(regex.pattern)) return;
      const line = source.slice(0, start).split('\n').length;
      found.push({ place: `${file}:${line}`, expression: new RegExp(regex.pattern, regex.flags) });
    });
    return found;
  });
}

function visit(node: unknown, onRegex: (regex: { pattern: string; flags: string }, start: number) => void) {
  if (typeof node !== 'object' || node === null) return;
  const { regex, start } = node as { regex?: { pattern: string; flags: string }; start?: number };
  if (regex !== undefined) return onRegex(regex, start ?? 0);
  for (const child of Object.values(node)) visit(child, onRegex);
}

interface Attack {
  start: string;
  unit: string;
  end: string;
}

const UNITS = [
  ...' \t\n0aA-_/=[{(\\"\':;,.<!|#*&@é'.split(''),
  'a ',
  '\\"',
  ', ',
  '<a',
  '<!--',
  'eyJ-',
  '/Aa/1',
  ' a="',
];

/** Repeats what patterns like to repeat, and the words of the pattern itself, alone and in pairs. */
function* listAttacks({ source }: RegExp): Generator<Attack> {
  const words = [...new Set(source.replaceAll(/\\./g, ' ').match(/[A-Za-z]{2,}/g) ?? [])].slice(0, 30);
  for (const unit of UNITS) {
    for (const start of ['', 'Ab', `${words[0] ?? '#'} `]) yield { start, unit, end: '\0' };
    yield { start: '', unit, end: '!\n' };
  }
  for (const [index, word] of words.entries()) {
    yield { start: '', unit: `${word} `, end: '\0' };
    yield { start: '', unit: `${word} ${words[index + 1] ?? ''} `, end: '\0' };
  }
}

function measure(expression: RegExp, { start, unit, end }: Attack, length: number): number {
  const text = start + unit.repeat(Math.ceil(length / unit.length)) + end;
  expression.lastIndex = 0;
  const before = readThreadMs();
  text.replace(expression, '');
  return readThreadMs() - before;
}

/** Linux says a thread's time as of its last tick, up to 10 ms ago, unless somebody has just asked for the process's. */
function readThreadMs(): number {
  process.cpuUsage();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Few for words that may be read in two ways, each of which doubles the time; then as long as a long name. */
const LENGTHS = [24, 48, 96, 144, 192, 256, 12_000];

/** Milliseconds that nothing linear needs for texts this long. */
const SUSPICIOUS_MS = 12;

/** Whatever else the machine does only adds to what is measured, and the first time may have compiled the pattern. */
function measureLeast(...measured: Parameters<typeof measure>): number {
  let least = measure(...measured);
  const tries = least > SURELY_SLOW_MS ? 1 : 6;
  for (let done = 0; done < tries; done++) least = Math.min(least, measure(...measured));
  return least;
}

/** So far from what is linear that no other program explains it. */
const SURELY_SLOW_MS = 100;

/** Says at which length time grows faster than the text. */
function findExcess(expression: RegExp, attack: Attack): string | null {
  for (const length of LENGTHS) {
    if (measure(expression, attack, length) < SUSPICIOUS_MS) continue;
    const excess = length < 1000 ? findExplosion(expression, attack, length) : findGrowth(expression, attack);
    if (excess !== null)
      return `${JSON.stringify(attack.start + attack.unit.repeat(2))}, ${length}: ${excess}`;
  }
  return null;
}

/** That long for a text that short is what only doubling with each character takes. */
function findExplosion(expression: RegExp, attack: Attack, length: number): string | null {
  const once = measureLeast(expression, attack, length);
  return once < SUSPICIOUS_MS ? null : `${once} ms`;
}

const LONG = LENGTHS.at(-1) ?? 0;

/**
 * A text eight times as long takes 8 times the time of a linear pattern and 64 times that of a quadratic one: no other
 * program makes one look like the other. Between the two is what is quadratic in part, which a longer text shows.
 */
const SUSPICIOUS_GROWTH = 12;
const TOO_MUCH_GROWTH = 24;

function findGrowth(expression: RegExp, attack: Attack): string | null {
  let [short, long] = [LONG / 8, LONG].map((length) => measureLeast(expression, attack, length));
  if (short === undefined || long === undefined || long < SUSPICIOUS_MS || long < short * SUSPICIOUS_GROWTH)
    return null;
  if (long < short * TOO_MUCH_GROWTH) [short, long] = [long, measureLeast(expression, attack, LONG * 8)];
  return long < short * TOO_MUCH_GROWTH ? null : `${short} ms, and eight times as long ${long} ms`;
}

/** Choices between "there" and "not there" that a pattern of one length may have: 1,024 ways at each place at most. */
const MAX_OPTIONAL = 10;

/**
 * Whether nothing in it repeats (`*`, `+`, `{`): then each place of a text costs at most the same, whatever follows, and
 * there is nothing to measure. Classes in classes (`v`) are not looked into.
 */
function isOfBoundedLength({ source, flags }: RegExp): boolean {
  if (flags.includes('v')) return false;
  const outline = source
    .replaceAll(/\\(?:[pPu]\{[^}]*\}|k<\w+>|.)/g, 'x')
    .replaceAll(/\[[^\]]*\]/g, 'x')
    .replaceAll(/\(\?(?:<?[=!]|:|<\w+>)/g, '(');
  return !/[*+{]/.test(outline) && outline.split('?').length <= MAX_OPTIONAL + 1;
}

describe('case 197: a text made to be slow to read', () => {
  it('takes each pattern of the service no more than twice the time when it is twice as long', () => {
    const patterns = listPatterns();
    assert.ok(patterns.length > 400, `${patterns.length}`);
    // Each once, however many files have it, by the first of them.
    const measured = new Map(
      patterns
        .filter(({ expression }) => !isOfBoundedLength(expression))
        .toReversed()
        .map((pattern) => [String(pattern.expression), pattern]),
    );
    assert.ok(measured.size > 150, `${measured.size}`);
    assert.deepEqual([...measured.values()].flatMap(findSlow), []);
  });

  it('is distinguished from one that is merely long', () => {
    const isSlow = (expression: RegExp): boolean => findSlow({ place: '', expression }).length > 0;
    for (const slow of [/\s+$/, /^(?:a+)+$/, /(?:a|a)*b/, /^\s*a?\s*$/])
      assert.ok(isSlow(slow) && !isOfBoundedLength(slow), String(slow));
    for (const linear of [/\s+/g, /^\s+/, /[^a]/g, /^[^:]+:.*$/s]) assert.ok(!isSlow(linear), String(linear));
    for (const bounded of [/ab?[*+]\*\{/, /(?:a|b)(?=c)\p{L}/u, /(?<a>x)\k<a>/])
      assert.ok(isOfBoundedLength(bounded), String(bounded));
    for (const repeating of [/a{2}/, /[\]]+/, /\\*/, /(?:a?){3}/]) assert.ok(!isOfBoundedLength(repeating));
  });
});

function findSlow({ place, expression }: Pattern): string[] {
  for (const attack of listAttacks(expression)) {
    const excess = findExcess(expression, attack);
    if (excess !== null) return [`${place} ${excess}`];
  }
  return [];
}
