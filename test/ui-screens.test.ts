import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { screenNames as english } from '../web/console/src/consents/words/en/screens.ts';
import { screenNames as spanish } from '../web/console/src/consents/words/es/screens.ts';
import { ROOT } from './harness/process.ts';

const readFiles = (folder: string): string[] =>
  fs
    .readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.tsx'))
    .map((file) => fs.readFileSync(path.join(ROOT, folder, file), 'utf8'));

/** Names that are written where a screen begins; those of failures and of the forms for a link are values of types. */
const extractNames = (text: string): string[] =>
  Array.from(
    text.matchAll(/<Screen\s+name=(?:"([\w-]+)"|\{\w+ \? '([\w-]+)' : '([\w-]+)'\})/g),
    ([, ...names]) => names.filter((name) => name !== undefined),
  ).flat();

describe('the screens that a decision keeps', () => {
  it('have a name in the console, in both languages', () => {
    const found = new Set(['web/consent/src', 'web/patient'].flatMap(readFiles).flatMap(extractNames));
    assert.ok(found.size > 20, `${found.size} screens`);
    for (const names of [english, spanish])
      assert.deepEqual(
        [...found].filter((name) => names[name] === undefined),
        [],
      );
    assert.deepEqual(Object.keys(spanish), Object.keys(english));
  });
});
