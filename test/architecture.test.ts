import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  findCycles,
  listImports,
  listSourceFiles,
  listSpecifiers,
  findModule,
  MODULES,
  readSource,
  splitSource,
} from './harness/structure.ts';

const FILES = listSourceFiles(['contract', 'documents', 'server']);

/** Where each module stands in the line. */
const POSITIONS = new Map(MODULES.map((module, index) => [module, index]));

describe('the architecture', () => {
  it('gives every file of the server a module, except those that put modules together', () => {
    for (const file of FILES.filter((name) => findModule(name) === null))
      assert.match(
        file,
        /^server\/([\w-]+\/)?[\w-]+\.ts$/,
        `${file} belongs to no module of test/harness/structure.ts`,
      );
  });

  it('has a folder for every module', () => {
    const found = new Set(FILES.map(findModule));
    for (const module of MODULES) assert.ok(found.has(module), `${module} holds no file`);
  });

  it('imports in a line: a module imports only modules before it', () => {
    for (const file of FILES) {
      const position = POSITIONS.get(findModule(file) ?? '');
      if (position === undefined) continue;
      for (const imported of listImports(file)) {
        const target = POSITIONS.get(findModule(imported) ?? '');
        assert.ok(
          target !== undefined && target <= position,
          `${file} imports ${imported}: ${findModule(file)} stands before ${findModule(imported)}; let app.ts hand it over`,
        );
      }
    }
  });

  it('lets no surface import another', () => {
    for (const file of FILES.filter(
      (name) => name.startsWith('server/surfaces/') && findModule(name) !== null,
    ))
      for (const imported of listImports(file))
        assert.ok(
          !imported.startsWith('server/surfaces/') || findModule(imported) === findModule(file),
          `${file} imports ${imported}: surfaces share what a wing before them offers`,
        );
  });

  it('lets the platform know nothing of the domain', () => {
    for (const file of FILES.filter((name) => name.startsWith('server/platform/')))
      for (const imported of listImports(file))
        assert.ok(/^(server\/platform|contract)\//.test(imported), `${file} imports ${imported}`);
  });

  it('imports without a circle', () => {
    const files = [...FILES, ...listSourceFiles(['cli', 'tools', 'web'])];
    assert.deepEqual(findCycles(files), []);
  });

  it('knows the contract by zod alone', () => {
    for (const file of FILES.filter((name) => name.startsWith('contract/')))
      for (const name of listSpecifiers(file))
        assert.ok(name.startsWith('.') || name === 'zod', `${file} imports ${name}`);
  });

  it('keeps the documents free of the server', () => {
    for (const file of FILES.filter((name) => name.startsWith('documents/')))
      for (const imported of listImports(file))
        assert.ok(/^(documents|contract)\//.test(imported), `${file} imports ${imported}`);
  });

  it('writes SQL only in *.sql.ts and in platform/db', () => {
    const statement = /\bsql(<[^`]*>)?`|\bselect .* from |\binsert into |\bdelete from |\bupdate \w+ set /i;
    for (const file of FILES) {
      if (file.endsWith('.sql.ts') || file.startsWith('server/platform/db/')) continue;
      const code = readSource(file).replace(/\/\*[^]*?\*\/|\/\/.*$/gm, '');
      const line = code.split('\n').find((text) => statement.test(text));
      assert.equal(line, undefined, `${file} holds SQL: ${line}`);
    }
  });

  it('knows Fastify only in *.route.ts, *-dialect.ts and platform/http', () => {
    for (const file of FILES) {
      if (/\.route\.ts$|-dialect\.ts$|^server\/platform\/http\//.test(file)) continue;
      assert.ok(!listSpecifiers(file).some((name) => name.includes('fastify')), `${file} imports Fastify`);
    }
  });

  it('reads the environment only in config.ts, and where the process begins', () => {
    for (const file of FILES) {
      if (['server/config.ts', 'server/main.ts', 'server/compile-cache.ts'].includes(file)) continue;
      assert.ok(!readSource(file).includes('process.env'), `${file} reads the environment`);
    }
  });

  it("reads the machine's clock only in platform/kernel/clock.ts", () => {
    for (const file of FILES.filter((name) => name.startsWith('server/'))) {
      if (file === 'server/platform/kernel/clock.ts') continue;
      const reading = /\bDate\.now\(|\bnew Date\(\)|\bperformance\./.exec(splitSource(readSource(file)).code);
      assert.equal(
        reading,
        null,
        `${file} reads the real time (${reading?.[0]}): take the Clock as an argument`,
      );
    }
  });

  it('queries a record only through the consent wing', () => {
    for (const file of FILES.filter((name) => name.startsWith('server/surfaces/mcp/')))
      assert.ok(!/\bdb\.(query|tx)\(/.test(readSource(file)), `${file} queries the database directly`);
  });

  it('draws no HTML on the pages that came from elsewhere: an answer of a webhook, a note or a file is text', () => {
    const drawing =
      /dangerouslySetInnerHTML|\b(inner|outer)HTML\b|insertAdjacentHTML|document\.write|srcDoc|DOMParser|createContextualFragment/;
    for (const file of listSourceFiles(['web'])) {
      const found = drawing.exec(splitSource(readSource(file)).code);
      assert.equal(found, null, `${file} uses ${found?.[0]}`);
    }
  });

  it('has no file named after nothing', () => {
    for (const file of FILES)
      assert.doesNotMatch(
        file,
        /\b(utils?|helpers?|services?|models?|common|misc)\b(\.ts|\/)|\/index\.ts$/,
        file,
      );
  });
});
