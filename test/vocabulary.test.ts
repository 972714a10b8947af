import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { listFiles, readSource, splitSource } from './harness/structure.ts';

/**
 * Words that are not our field's, each with what to write instead. They are looked for as whole words: in identifiers
 * (`toldBatch` holds "told"), file names, comments and test titles. What patients read is not looked at: it is written in
 * their words, not in ours.
 */
const BANNED: Readonly<Record<string, string>> = {
  told: 'shown, emitted, notified, or a …Dto',
  tell: 'emit, notify, render, or say',
  tells: 'emits, notifies, renders, or says',
  telling: 'serializer',
  teller: 'source',
  tellers: 'sources',
  asker: 'requester',
  sought: 'requested, or the noun of what is looked for',
  crew: 'worker pool',
  crews: 'worker pools',
  hope: 'assumption',
  stretch: 'chunk',
  stretches: 'chunks',
  fate: 'next state',
  choosy: 'may leave what is due',
  squeezed: 'truncated',
  farewell: 'account deleted',
  moody: 'flaky',
  circumstances: 'context',
  doings: 'handlers',
  egress: 'outbound',
  house: 'codebase',
  lately: 'recent',
  visitor: 'browser context',
  room: 'module',
  rooms: 'modules',
};

/** Where a banned word means what it says; each can be defended. */
const EXCEPTIONS: readonly { file: RegExp; word: string; because: string }[] = [
  {
    file: /clinical\/entries\/(social-findings|build-entries\.test)\.ts$/,
    word: 'circumstances',
    because: 'ICD-10 and SNOMED CT speak of social circumstances',
  },
];

/** Names that say no verb, or a superlative where the trade says MAX and MIN. */
const BANNED_NAMES: readonly { pattern: RegExp; instead: string }[] = [
  {
    pattern: /^(MOST|LONGEST|LEAST|SHORTEST|DEEPEST|LARGEST|SMALLEST)(_|$)/,
    instead: 'MAX_…, MIN_…, …_LIMIT',
  },
];

/** `const textOf =`, `function textOf(`: a function whose name says no verb. */
const FUNCTION_OF =
  /\b(?:function\*?\s+|const\s+)((?!is[A-Z])[a-z]\w*Of)\b(?=\s*[(<]|\s*(?::[^=\n]+)?=\s*(?:async\s*)?(?:\(|\w+\s*=>|<))/g;

const SOURCES = listFiles(['contract', 'documents', 'server', 'cli', 'tools', 'web', 'test']).filter(
  (file) => file !== 'test/vocabulary.test.ts' && !/^web\/[\w-]+\/(src\/)?words\//.test(file),
);

const splitWords = (identifier: string): string[] =>
  identifier
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);

const isExcepted = (file: string, word: string): boolean =>
  EXCEPTIONS.some((exception) => exception.word === word && exception.file.test(file));

/** The titles of tests and groups, as literals or templates. */
const listTitles = (text: string): string[] =>
  [...text.matchAll(/\b(?:it|test|describe)(?:\.\w+)?\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g)].map(
    ([, , title]) => title as string,
  );

interface Finding {
  file: string;
  word: string;
  where: string;
}

function findBannedWords(file: string): Finding[] {
  const text = readSource(file);
  const { code, comments } = splitSource(text);
  const identifiers = new Set(code.match(/[A-Za-z_$][\w$]*/g));
  const places = [
    { where: 'its name', words: new Set(splitWords(file)) },
    { where: 'an identifier', words: new Set([...identifiers].flatMap(splitWords)) },
    { where: 'a comment', words: new Set(comments.flatMap(splitWords)) },
    { where: 'a test title', words: new Set(listTitles(text).flatMap(splitWords)) },
  ];
  return places.flatMap(({ where, words }) =>
    Object.keys(BANNED)
      .filter((word) => words.has(word) && !isExcepted(file, word))
      .map((word) => ({ file, word, where })),
  );
}

describe('the vocabulary', () => {
  it('has no word of a private dialect in names, comments and test titles', () => {
    const findings = SOURCES.flatMap(findBannedWords);
    assert.deepEqual(
      findings.map(({ file, word, where }) => `${file}: ${where} says "${word}"; say ${BANNED[word]}`),
      [],
    );
  });

  it('names no function after what it is of: it begins with a verb', () => {
    const findings = SOURCES.flatMap((file) =>
      [...splitSource(readSource(file)).code.matchAll(FUNCTION_OF)].map(([, name]) => `${file}: ${name}`),
    );
    assert.deepEqual(findings, []);
  });

  it('names limits MAX and MIN', () => {
    const findings = SOURCES.flatMap((file) => {
      const identifiers = new Set(splitSource(readSource(file)).code.match(/[A-Za-z_$][\w$]*/g));
      return [...identifiers].flatMap((name) =>
        BANNED_NAMES.filter(({ pattern }) => pattern.test(name)).map(
          ({ instead }) => `${file}: ${name}; say ${instead}`,
        ),
      );
    });
    assert.deepEqual(findings, []);
  });

  it('needs every exception that it lists', () => {
    for (const { file, word } of EXCEPTIONS)
      assert.ok(
        SOURCES.some((source) => file.test(source) && splitWords(readSource(source)).includes(word)),
        `no file of ${file} says "${word}" any more`,
      );
  });
});
