import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import type { z } from 'zod';
import { ENDPOINTS } from '../../../../contract/endpoints.ts';
import { CSV_PAGE_SIZE, PAGE_SIZE } from './page-sizes.ts';

const SOURCES = path.join(import.meta.dirname, '..');

const files = fs
  .globSync('**/*.tsx', { cwd: SOURCES })
  .map((file) => ({ file, text: fs.readFileSync(path.join(SOURCES, file), 'utf8') }));

const isServed = (name: string, limit: number): boolean => {
  const endpoint = ENDPOINTS.find((each) => each.name === name);
  const schema = (endpoint?.query as z.ZodObject<{ limit?: z.ZodType }> | undefined)?.shape.limit;
  return schema?.safeParse(String(limit)).success ?? false;
};

const listCalls = (pattern: RegExp): { file: string; name: string; limit: string | undefined }[] =>
  files.flatMap(({ file, text }) =>
    Array.from(text.matchAll(pattern), ([, name = '', limit]) => ({ file, name, limit })),
  );

describe('the rows that a list asks for', () => {
  it('are as many as its endpoint serves, on the page and in a download of all of it', () => {
    const lists = listCalls(/\buseList<typeof (\w+)>\((?:(?!<typeof )[\s\S])*?(?:pageSize: (\d+)|\}\))/g);
    assert.ok(lists.length > 15, String(lists.length));
    const refused = lists.flatMap(({ file, name, limit }) =>
      [Number(limit ?? PAGE_SIZE), CSV_PAGE_SIZE]
        .filter((size) => !isServed(name, size))
        .map((size) => `${file}: ${name} of ${size}`),
    );
    assert.deepEqual(refused, []);
  });

  it('are as many as its endpoint serves, wherever a page asks for them by itself', () => {
    const calls = listCalls(/<typeof (\w+)>\((?:(?!<typeof )[\s\S]){0,200}?\blimit: (\d+)/g);
    assert.ok(calls.length > 5, String(calls.length));
    assert.deepEqual(
      calls.filter(({ name, limit }) => !isServed(name, Number(limit))),
      [],
    );
  });
});

it('heads the columns of every list in a file as the API names things', () => {
  const named = files
    .filter(({ text }) => text.includes('ListColumn<') || text.includes(': Column'))
    .flatMap(({ file, text }) =>
      Array.from(text.matchAll(/\bname: '([^']+)'/g), ([, name = '']) => ({ file, name })),
    );
  assert.ok(named.length > 60, String(named.length));
  assert.deepEqual(
    named.filter(({ name }) => !/^[a-z][a-zA-Z]*$/.test(name)),
    [],
  );
});
