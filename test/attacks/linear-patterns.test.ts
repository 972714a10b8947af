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
  const before = process.threadCpuUsage();
  text.replace(expression, '');
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/** Few for words that may be read in two ways, each of which doubles the time; then as long as a long name. */
const LENGTHS = [24, 48, 96, 144, 192, 256, 12_000];

/** Milliseconds that nothing linear needs for texts this long. */
const SUSPICIOUS_MS = 12;

/** Whatever else the machine does only adds to what is measured, and the first time may have compiled the pattern. */
const measureLeast = (...measured: Parameters<typeof measure>): number =>
  Math.min(...Array.from({ length: 7 }, () => measure(...measured)));

/** Says at which length time grows faster than the text. */
function findExcess(expression: RegExp, attack: Attack): string | null {
  for (const length of LENGTHS) {
    if (measure(expression, attack, length) < SUSPICIOUS_MS) continue;
    const excesses = Array.from({ length: TRIES }, () => measureExcess(expression, attack, length));
    if (excesses.every((excess) => excess !== null))
      return `${JSON.stringify(attack.start + attack.unit.repeat(2))}, ${length}: ${excesses[0]}`;
  }
  return null;
}

/** A machine that is busy for a moment is so for all that is measured in it. */
const TRIES = 4;

function measureExcess(expression: RegExp, attack: Attack, length: number): string | null {
  const once = measureLeast(expression, attack, length);
  if (once < SUSPICIOUS_MS) return null;
  const twice = length < 1000 ? Number.POSITIVE_INFINITY : measureLeast(expression, attack, length * 2);
  return twice > once * 2.8 ? `${once} and ${twice} ms` : null;
}

describe('case 197: a text made to be slow to read', () => {
  it('takes each pattern of the service no more than twice the time when it is twice as long', () => {
    const slow: string[] = [];
    const patterns = listPatterns();
    assert.ok(patterns.length > 400, `${patterns.length}`);
    for (const { place, expression } of patterns)
      for (const attack of listAttacks(expression)) {
        const excess = findExcess(expression, attack);
        if (excess === null) continue;
        slow.push(`${place} ${excess}`);
        break;
      }
    assert.deepEqual(slow, []);
  });
});
