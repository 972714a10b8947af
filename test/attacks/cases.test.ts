import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';

const CASES = 70;
const ROW = /^\| (\d+) \|.*\[[\w-]+\]\(([\w-]+\.test\.ts)\) \|$/;

/** The case numbers that a file's titles cite: `case 53: …`, or the first argument of what defines tests of one case. */
const findCitedCases = (source: string): number[] =>
  [...source.matchAll(/\bcases? (\d+)|\bdefineRefusals\((\d+),/g)].map(([, title, argument]) =>
    Number(title ?? argument),
  );

describe('the catalogue of attack cases', () => {
  const rows = fs
    .readFileSync(path.join(import.meta.dirname, 'CASES.md'), 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, number, file] = ROW.exec(line) ?? [];
      return number === undefined || file === undefined ? [] : [{ number: Number(number), file }];
    });

  it('numbers every case once', () => {
    const expected = Array.from({ length: CASES }, (_, index) => index + 1);
    assert.deepEqual(
      rows.map(({ number }) => number),
      expected,
    );
  });

  it('names for every case a file whose tests cite it', () => {
    for (const { number, file } of rows) {
      const source = fs.readFileSync(path.join(import.meta.dirname, file), 'utf8');
      assert.ok(findCitedCases(source).includes(number), `${file} cites no case ${number}`);
    }
  });
});
