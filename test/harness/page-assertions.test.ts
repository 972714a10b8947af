import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { assertSoon } from './page-assertions.ts';
import { ROOT } from './process.ts';

describe('assertSoon', () => {
  it('asks again until the assertion holds', async () => {
    let looks = 0;
    await assertSoon(async () => assert.equal(++looks, 3));
    assert.equal(looks, 3);
  });

  it('fails with what it saw last where the assertion does not come to hold', async () => {
    let looks = 0;
    const never = assertSoon(async () => assert.equal(++looks, 0), 50);
    await assert.rejects(never, (error: assert.AssertionError) => error.actual === looks);
  });

  it('hands on at once what is no assertion', async () => {
    let looks = 0;
    const broken = assertSoon(async () => Promise.reject(new Error(`look ${++looks}`)));
    await assert.rejects(broken, /look 1/);
  });
});

/** What a page shows at one moment, which it may be about to change. */
const READS = /\.(?:count|isChecked|isVisible|isHidden|isDisabled|isEnabled|inputValue|getAttribute)\(\w*\)/;
const ASSERTED_READS =
  /\bassert\b[^]*await [^]*(?:\.(?:innerText|allInnerTexts|textContent|allTextContents|title)\(|document\.activeElement|\.url\()/;
/** Time that passes proves nothing, and a document is idle once and for good. */
const GUESSES = /waitForTimeout|networkidle/;

const isGuess = (statement: string): boolean =>
  !statement.includes('assertSoon(') &&
  [READS, ASSERTED_READS, GUESSES].some((pattern) => pattern.test(statement));

const listGuesses = (source: string): string[] =>
  source
    .split(/;\n|\{\n|\n\n/)
    .filter(isGuess)
    .map((statement) => statement.trim());

/** Pages that no script of ours changes after they have been loaded. */
const UNSCRIPTED = ['test/browser/docs.test.ts', 'test/browser/error-pages.test.ts'];

describe('a test in a browser', () => {
  it('is seen to guess where it asserts what it read once', () => {
    assert.equal(listGuesses(`assert.equal(await tab.getByRole('row').count(), 3);\n`).length, 1);
    assert.equal(listGuesses(`  assert.ok(await button.isDisabled());\n`).length, 1);
    assert.equal(listGuesses(`assert.match(\n  await row.innerText(),\n  /x/,\n);\n`).length, 1);
    assert.equal(
      listGuesses(`assert.equal(await tab.evaluate('document.activeElement.id'), 'a');\n`).length,
      1,
    );
    assert.deepEqual(listGuesses(`await assertCount(tab.getByRole('row'), 3);\n`), []);
    assert.deepEqual(listGuesses(`await assertSoon(async () => assert.equal(await row.count(), 3));\n`), []);
  });

  it('asserts nothing that it read from a page once, but waits until it holds', () => {
    const guesses = fs
      .globSync('test/browser/*.ts', { cwd: ROOT })
      .filter((file) => !UNSCRIPTED.includes(file))
      .flatMap((file) =>
        listGuesses(fs.readFileSync(path.join(ROOT, file), 'utf8')).map((guess) => `${file}: ${guess}`),
      );
    assert.deepEqual(guesses, [], 'take an assertion of test/harness/page-assertions.ts');
  });
});
