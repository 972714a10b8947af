import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeDatabaseUrl, parseDatabaseUrls } from './database-urls.ts';

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
    'postgresql://user@/db?host=/run/postgresql&port=5433': [
      'postgresql://user@localhost/db?host=/run/postgresql&port=5433',
    ],
    'postgresql:///db?host=/run/postgresql': ['postgresql://localhost/db?host=/run/postgresql'],
    'postgresql:///db?host=one': [],
    'postgresql://user@%2Frun%2Fpostgresql:5433/db': ['postgresql://user@%2Frun%2Fpostgresql:5433/db'],
    'https://one/db': [],
  }))
    it(`returns an address for each host: ${text}`, () => assert.deepEqual(parseDatabaseUrls(text), urls));
});

describe('describeDatabaseUrl', () => {
  for (const [url, address] of Object.entries({
    'postgresql://keeper:secret@one/db': { server: 'one:5432', database: 'db' },
    'postgresql://keeper:secret@[::1]:5433/d%20b': { server: '[::1]:5433', database: 'd b' },
    'postgresql://keeper@localhost/db?host=/run/postgresql&port=5433': {
      server: '/run/postgresql/.s.PGSQL.5433',
      database: 'db',
    },
    'postgresql://keeper@%2Frun%2Fpostgresql/db': { server: '/run/postgresql/.s.PGSQL.5432', database: 'db' },
  }))
    it(`names the server and the database, and nobody: ${url}`, () =>
      assert.deepEqual(describeDatabaseUrl(url), address));
});
