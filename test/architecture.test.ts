import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';

/**
 * The rooms in a line, foundations first, and what each may import. A row that grows is a decision; a room that would
 * need a later one is handed a function by `app.ts` instead.
 */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  kernel: [],
  storage: [],
  jobs: ['kernel', 'storage'],
  http: ['contract', 'kernel'],
  egress: [],
  auth: ['contract', 'kernel', 'storage', 'http'],
  mail: ['jobs'],
  audit: ['contract', 'kernel', 'storage', 'http', 'auth'],
  organizations: ['contract', 'kernel', 'storage', 'http', 'auth', 'audit'],
  webhooks: ['contract', 'kernel', 'storage', 'jobs', 'http', 'egress', 'mail', 'audit', 'organizations'],
  patients: ['contract', 'kernel', 'storage', 'jobs', 'http', 'auth', 'mail', 'audit'],
  accounts: ['contract', 'kernel', 'storage', 'jobs', 'http', 'auth', 'mail', 'patients'],
  consent: ['contract', 'kernel', 'storage', 'jobs', 'http', 'auth', 'mail', 'audit', 'webhooks', 'patients'],
  records: ['contract', 'kernel', 'storage', 'consent'],
  search: ['contract', 'storage', 'consent', 'records'],
  uploads: ['contract', 'kernel', 'storage', 'jobs', 'http', 'records'],
  fhir: ['contract', 'kernel', 'storage', 'http', 'audit', 'consent', 'records'],
  sources: [
    'contract',
    'kernel',
    'storage',
    'jobs',
    'http',
    'egress',
    'audit',
    'organizations',
    'consent',
    'uploads',
  ],
  mcp: ['contract', 'kernel', 'storage', 'http', 'audit', 'consent', 'records', 'search'],
  oauth: ['contract', 'kernel', 'storage', 'jobs', 'http', 'egress', 'auth', 'audit', 'accounts', 'consent'],
  'my-data': [
    'contract',
    'kernel',
    'storage',
    'jobs',
    'http',
    'auth',
    'mail',
    'patients',
    'accounts',
    'consent',
    'uploads',
  ],
};

const ROOT = path.resolve(import.meta.dirname, '..');

const sourceFiles = (folder: string): string[] =>
  fs
    .readdirSync(path.join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'))
    .map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name)));

const FILES = [...sourceFiles('contract'), ...sourceFiles('server')];

const textOf = (file: string): string => fs.readFileSync(path.join(ROOT, file), 'utf8');

const importsOf = (file: string): string[] =>
  [...textOf(file).matchAll(/(?:from|import\()\s*'([^']+)'/g)].map(([, name]) => name as string);

/** `contract`, a folder of `server`, or null for the files of `server` itself, which put the rooms together. */
function roomOf(file: string): string | null {
  const [first, second, third] = file.split(path.sep);
  if (first === 'contract') return 'contract';
  return third === undefined ? null : (second ?? null);
}

const resolved = (file: string, name: string): string =>
  path.relative(ROOT, path.resolve(ROOT, path.dirname(file), name));

describe('the house', () => {
  it('has a row for every room, and each row names only rooms before it', () => {
    const names = Object.keys(ROOMS);
    const found = new Set(FILES.map(roomOf).filter((room) => room !== null));
    assert.deepEqual([...found].sort(), [...names].sort());
    for (const [room, allowed] of Object.entries(ROOMS)) {
      for (const other of allowed)
        assert.ok(names.indexOf(other) < names.indexOf(room), `${room} must not come before ${other}`);
    }
  });

  it('keeps every import inside the row of its room', () => {
    for (const file of FILES) {
      const room = roomOf(file);
      if (room === null) continue;
      for (const name of importsOf(file).filter((name) => name.startsWith('.'))) {
        const target = roomOf(resolved(file, name));
        if (target === room) continue;
        assert.ok(
          target !== null && ROOMS[room]?.includes(target),
          `${file} imports ${name}: ${room} may import ${ROOMS[room]?.join(', ')}`,
        );
      }
    }
  });

  it('imports every name of a row at least once, so that no arrow is allowed for nothing', () => {
    for (const [room, allowed] of Object.entries(ROOMS)) {
      const used = new Set(
        FILES.filter((file) => roomOf(file) === room).flatMap((file) =>
          importsOf(file).map((name) => roomOf(resolved(file, name))),
        ),
      );
      for (const other of allowed) assert.ok(used.has(other), `${room} does not need ${other}`);
    }
  });

  it('knows the contract by zod alone', () => {
    for (const file of FILES.filter((name) => roomOf(name) === 'contract')) {
      for (const name of importsOf(file))
        assert.ok(name.startsWith('./') || name === 'zod', `${file} imports ${name}`);
    }
  });

  it('writes SQL only in *.sql.ts and in storage', () => {
    const statement = /\bsql(<[^`]*>)?`|\bselect .* from |\binsert into |\bdelete from |\bupdate \w+ set /i;
    for (const file of FILES) {
      if (file.endsWith('.sql.ts') || roomOf(file) === 'storage' || roomOf(file) === null) continue;
      const code = textOf(file).replace(/\/\*[^]*?\*\/|\/\/.*$/gm, '');
      const line = code.split('\n').find((text) => statement.test(text));
      assert.equal(line, undefined, `${file} holds SQL: ${line}`);
    }
  });

  it('knows Fastify only in *.route.ts, *-dialect.ts and http', () => {
    for (const file of FILES) {
      if (file.endsWith('.route.ts') || file.endsWith('-dialect.ts') || roomOf(file) === 'http') continue;
      assert.ok(!importsOf(file).some((name) => name.includes('fastify')), `${file} imports Fastify`);
    }
  });

  it('reads the environment only in config.ts, and where the process begins', () => {
    for (const file of FILES) {
      if (file === 'server/config.ts' || file === 'server/main.ts') continue;
      assert.ok(!textOf(file).includes('process.env'), `${file} reads the environment`);
    }
  });

  it('asks for a record only through the consent room', () => {
    for (const file of FILES.filter((name) => roomOf(name) === 'mcp')) {
      assert.ok(!/\bdb\.(query|tx)\(/.test(textOf(file)), `${file} asks the database directly`);
    }
  });

  it('has no file named after nothing', () => {
    for (const file of FILES)
      assert.doesNotMatch(file, /\b(utils?|helpers?|services?|models?|common|misc|index)\b(\.ts|\/)/, file);
  });
});
