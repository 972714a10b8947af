import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { listSourceFiles, findModule, MODULES, readSource, ROOT, getWing } from './harness/structure.ts';

interface Ownership {
  /** The only module that writes the table. */
  owner: string;
  /** Other modules whose queries read it. */
  readers: readonly string[];
}

/** Every table, who writes it and who reads it. A row that grows is a decision: first ask whether the owner can be asked instead. */
const TABLES: Readonly<Record<string, Ownership>> = {};

const MIGRATIONS = path.join(ROOT, 'server/platform/db/migrations');

/** The tables that the migrations leave, by their present names. */
function listTables(): string[] {
  const tables = new Set<string>();
  for (const name of fs.readdirSync(MIGRATIONS).sort()) {
    const text = fs.readFileSync(path.join(MIGRATIONS, name), 'utf8');
    for (const [, created, dropped, from, to] of text.matchAll(
      /create table (?:if not exists )?(\w+)|drop table (?:if exists )?(\w+)|alter table (\w+) rename to (\w+)/g,
    )) {
      if (created) tables.add(created);
      if (dropped) tables.delete(dropped);
      if (from && to) {
        tables.delete(from);
        tables.add(to);
      }
    }
  }
  return [...tables].sort();
}

const NAMES = listTables();

interface Use {
  table: string;
  module: string;
  file: string;
}

const WRITES = /\b(?:insert into|update|delete from|merge into|truncate(?: table)?)\s+(?:only\s+)?(\w+)/g;
const READS =
  /\b(?:from|join|using)\s+(?:only\s+|lateral\s+)?(\w+)|,\s*(\w+)\s+(?:as\s+)?[a-z]{1,3}\b(?=\s*(?:,|\n|where|join|left|on|`))/g;

function findUses(pattern: RegExp): Use[] {
  const files = listSourceFiles(['server']).filter((file) => file.endsWith('.sql.ts'));
  const uses = files.flatMap((file) => {
    const statements = readSource(file).replaceAll(/\/\*[^]*?\*\/|^import[^;]*;/gm, '');
    const tables = new Set([...statements.matchAll(pattern)].map(([, one, other]) => one ?? other ?? ''));
    return NAMES.filter((table) => tables.has(table)).map((table) => ({
      table,
      module: findModule(file) ?? 'server',
      file,
    }));
  });
  return uses;
}

describe('the tables', () => {
  it('have a row each in the list of owners', () => {
    assert.deepEqual(Object.keys(TABLES).sort(), NAMES);
  });

  it('are written by their owner alone', () => {
    for (const { table, module, file } of findUses(WRITES))
      assert.equal(
        module,
        TABLES[table]?.owner,
        `${file} writes ${table}, which only ${TABLES[table]?.owner} may write`,
      );
  });

  it('are read by their owner and by the listed readers', () => {
    for (const { table, module, file } of findUses(READS)) {
      const { owner, readers } = TABLES[table] as Ownership;
      assert.ok(
        module === owner || readers.includes(module),
        `${file} reads ${table}, which ${owner} owns: ask it for what is needed, or list ${module} as a reader`,
      );
    }
  });

  it('have no reader in a wing above their owner', () => {
    const wings = [...new Set(MODULES.map(getWing))];
    for (const [table, { owner, readers }] of Object.entries(TABLES))
      for (const reader of readers)
        assert.ok(
          wings.indexOf(getWing(reader)) >= wings.indexOf(getWing(owner)),
          `${reader} reads ${table} of ${owner}, which stands in a wing below it`,
        );
  });

  it('have no reader listed that does not read them', () => {
    const reads = findUses(READS);
    for (const [table, { readers }] of Object.entries(TABLES))
      for (const reader of readers)
        assert.ok(
          reads.some((use) => use.table === table && use.module === reader),
          `${reader} does not read ${table}`,
        );
  });
});
