import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';

/** Each heading has numbers of its own, so that a case added under one renumbers none of another. */
const ROW = /^\| (\d+) \|.*\[[\w-]+\]\(([\w./-]+\.test\.ts)\) \|$/;

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

  it('numbers every case once, in order', () => {
    const numbers = rows.map(({ number }) => number);
    assert.ok(numbers.length >= 70);
    assert.deepEqual(
      numbers,
      [...new Set(numbers)].sort((one, other) => one - other),
    );
  });

  it('names for every case a file whose tests cite it', () => {
    for (const { number, file } of rows) {
      const source = fs.readFileSync(path.join(import.meta.dirname, file), 'utf8');
      assert.ok(findCitedCases(source).includes(number), `${file} cites no case ${number}`);
    }
  });
});
