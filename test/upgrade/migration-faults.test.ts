import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readMigrations } from '../../server/platform/db/migrate.ts';
import { findMigrationFaults } from './migration-faults.ts';
import { RELEASES } from './releases.ts';

/** The newest migration from before the rule: those up to it were made while one node served. */
const BASELINE = '0075';

const released = RELEASES.at(-1)?.schema ?? '';

const judge = (text: string): string[] => findMigrationFaults({ name: '9001-example.sql', text }, released);

describe('a migration', () => {
  it('leaves the version before what it reads and writes, and holds up nobody', async () => {
    const migrations = (await readMigrations()).filter(({ name }) => name.slice(0, 4) > BASELINE);
    assert.deepEqual(
      migrations.flatMap((migration) => findMigrationFaults(migration, released)),
      [],
      'docs/decisions/0010-expand-then-contract.md says what to do instead',
    );
  });

  for (const text of [
    'drop table consent',
    'alter table consent drop column withheld',
    'alter table consent rename column withheld to hidden',
    'alter table consent rename to consents',
    'alter table consent alter column withheld drop default',
    '-- contract: since 9000\ndrop table consent',
    'alter table consent add column why text not null',
    'alter table consent add column mark uuid default gen_random_uuid()',
    'alter table consent add column mark text unique',
    'alter table consent alter column withheld set not null',
    'alter table consent alter withheld type bigint using withheld::bigint',
    'alter table consent add constraint one check (withheld > 0)',
    "alter table consent add column state text check (state in ('a', 'b'))",
    'alter table consent add primary key (patient_id)',
    'create index on audit_entry (at)',
    'create unique index if not exists audit_once on audit_entry (at)',
    'create index concurrently on resource (seq)',
    'create table thing (id uuid);\ncreate index concurrently if not exists by_seq on resource (seq)',
    'update consent set withheld = 0',
    'with old as (select 1) delete from audit_entry',
    "insert into job (kind) select 'x' from patient",
    'lock table consent',
    "set local lock_timeout = '1min'",
  ])
    it(`is refused if it does this: ${text.replaceAll('\n', ' ')}`, () => {
      assert.equal(judge(text).length, 1);
    });

  for (const text of [
    'create table thing (id uuid primary key, why text not null);\ncreate index on thing (why);\ninsert into thing select 1',
    'alter table consent add column why text;\n-- Why not; really.\nalter table consent add why_not boolean not null default false',
    'alter table consent add constraint one check (withheld > 0) not valid',
    'alter table consent validate constraint one',
    'alter table consent alter column withheld drop not null',
    'create index concurrently if not exists by_seq on resource (seq)',
    'create index concurrently if not exists audit_at on audit_entry (at)',
    "alter table organization add column kind text check (kind in ('a')); update organization set kind = 'a'",
    'create function f(a int) returns int language sql as $$ select 1; drop table consent; $$',
    '-- contract: since 0069\nalter table consent drop column why',
    '-- By day; nothing else.\ncreate index concurrently if not exists by_seq on resource (seq)',
    'drop index audit_at',
  ])
    it(`may do this: ${text.replaceAll('\n', ' ')}`, () => {
      assert.deepEqual(judge(text), []);
    });
});
