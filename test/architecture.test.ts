import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';

/**
 * The rooms in a line, foundations first, and what each may import. A row that grows is a decision; a room that would
 * need a later one is handed a function by `app.ts` instead.
 */
const MODULES: Readonly<Record<string, readonly string[]>> = {
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

const readText = (file: string): string => fs.readFileSync(path.join(ROOT, file), 'utf8');

const listImports = (file: string): string[] =>
  [...readText(file).matchAll(/(?:from|import\()\s*'([^']+)'/g)].map(([, name]) => name as string);

/** `contract`, a folder of `server`, or null for the files of `server` itself, which put the rooms together. */
function getModule(file: string): string | null {
  const [first, second, third] = file.split(path.sep);
  if (first === 'contract') return 'contract';
  return third === undefined ? null : (second ?? null);
}

const resolvePath = (file: string, name: string): string =>
  path.relative(ROOT, path.resolve(ROOT, path.dirname(file), name));

describe('the house', () => {
  it('has a row for every room, and each row names only rooms before it', () => {
    const names = Object.keys(MODULES);
    const found = new Set(FILES.map(getModule).filter((module) => module !== null));
    assert.deepEqual([...found].sort(), [...names].sort());
    for (const [module, allowed] of Object.entries(MODULES)) {
      for (const other of allowed)
        assert.ok(names.indexOf(other) < names.indexOf(module), `${module} must not come before ${other}`);
    }
  });

  it('keeps every import inside the row of its room', () => {
    for (const file of FILES) {
      const module = getModule(file);
      if (module === null) continue;
      for (const name of listImports(file).filter((name) => name.startsWith('.'))) {
        const target = getModule(resolvePath(file, name));
        if (target === module) continue;
        assert.ok(
          target !== null && MODULES[module]?.includes(target),
          `${file} imports ${name}: ${module} may import ${MODULES[module]?.join(', ')}`,
        );
      }
    }
  });

  it('imports every name of a row at least once, so that no arrow is allowed for nothing', () => {
    for (const [module, allowed] of Object.entries(MODULES)) {
      const used = new Set(
        FILES.filter((file) => getModule(file) === module).flatMap((file) =>
          listImports(file).map((name) => getModule(resolvePath(file, name))),
        ),
      );
      for (const other of allowed) assert.ok(used.has(other), `${module} does not need ${other}`);
    }
  });

  it('knows the contract by zod alone', () => {
    for (const file of FILES.filter((name) => getModule(name) === 'contract')) {
      for (const name of listImports(file))
        assert.ok(name.startsWith('./') || name === 'zod', `${file} imports ${name}`);
    }
  });

  it('writes SQL only in *.sql.ts and in storage', () => {
    const statement = /\bsql(<[^`]*>)?`|\bselect .* from |\binsert into |\bdelete from |\bupdate \w+ set /i;
    for (const file of FILES) {
      if (file.endsWith('.sql.ts') || getModule(file) === 'storage' || getModule(file) === null) continue;
      const code = readText(file).replace(/\/\*[^]*?\*\/|\/\/.*$/gm, '');
      const line = code.split('\n').find((text) => statement.test(text));
      assert.equal(line, undefined, `${file} holds SQL: ${line}`);
    }
  });

  it('knows Fastify only in *.route.ts, *-dialect.ts and http', () => {
    for (const file of FILES) {
      if (file.endsWith('.route.ts') || file.endsWith('-dialect.ts') || getModule(file) === 'http') continue;
      assert.ok(!listImports(file).some((name) => name.includes('fastify')), `${file} imports Fastify`);
    }
  });

  it('reads the environment only in config.ts, and where the process begins', () => {
    for (const file of FILES) {
      if (file === 'server/config.ts' || file === 'server/main.ts') continue;
      assert.ok(!readText(file).includes('process.env'), `${file} reads the environment`);
    }
  });

  it('asks for a record only through the consent room', () => {
    for (const file of FILES.filter((name) => getModule(name) === 'mcp')) {
      assert.ok(!/\bdb\.(query|tx)\(/.test(readText(file)), `${file} asks the database directly`);
    }
  });

  it('has no file named after nothing', () => {
    for (const file of FILES)
      assert.doesNotMatch(file, /\b(utils?|helpers?|services?|models?|common|misc|index)\b(\.ts|\/)/, file);
  });
});
