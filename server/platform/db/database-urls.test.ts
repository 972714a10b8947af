import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseDatabaseUrls } from './database-urls.ts';

describe('parseDatabaseUrls', () => {
  for (const [text, urls] of Object.entries({
    'postgresql://one/db': ['postgresql://one/db'],
    'postgres://user:secret@one:5433,two,[::1]:5434/db?sslmode=require': [
      'postgres://user:secret@one:5433/db?sslmode=require',
      'postgres://user:secret@two/db?sslmode=require',
      'postgres://user:secret@[::1]:5434/db?sslmode=require',
    ],
    'postgresql://one,/db': [],
    'postgresql://one:port/db': [],
    'postgresql:///db': [],
    'https://one/db': [],
  }))
    it(`returns an address for each host: ${text}`, () => assert.deepEqual(parseDatabaseUrls(text), urls));
});
