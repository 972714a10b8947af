import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { migrate, readMigrations, type Migration } from '../../server/platform/db/migrate.ts';
import type { Db } from '../../server/platform/db/db.ts';
import { openPostgres } from '../../server/platform/db/postgres.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { ENGINES, createDatabase, openTestStore } from '../harness/store.ts';

const FIRST: Migration = {
  name: '9001-first.sql',
  text: 'create table first (id int); create index on first (id)',
};
const SECOND: Migration = { name: '9002-second.sql', text: 'alter table first add name text' };
const LATE: Migration = { name: '9001-late.sql', text: 'create table late (id int)' };

for (const engine of ENGINES) {
  const store = await openTestStore(engine);
  const own = await readMigrations();
  describe(`the schema on ${engine}`, () => {
    const { db } = store;
    beforeEach(async () => {
      await db.query(sql`drop table if exists first, late`);
      await db.query(sql`delete from migration where name like '9%'`);
    });
    after(() => store.remove());

    it('is brought up to date in order, each file once', async () => {
      assert.deepEqual(await migrate(db), [], 'the store of a test is migrated');
      assert.deepEqual(await migrate(db, [...own, FIRST]), [FIRST.name]);
      assert.deepEqual(await migrate(db, [...own, FIRST, SECOND]), [SECOND.name]);
      assert.deepEqual(await migrate(db, [...own, FIRST, SECOND]), []);
      assert.deepEqual(await db.query(sql`select id, name from first`), []);
    });

    it('is refused when a file was changed after it was applied, and stays as it is', async () => {
      await migrate(db, [...own, FIRST]);
      const changed = [...own, { ...FIRST, text: `${FIRST.text} ` }, SECOND];
      await assert.rejects(migrate(db, changed), /9001-first\.sql was changed after it was applied/);
      await assert.rejects(db.query(sql`select name from first`), { code: '42703' });
    });

    it('is refused by a program that is older than the store, in a sentence', async () => {
      await migrate(db, [...own, FIRST, SECOND]);
      await assert.rejects(migrate(db, [...own, FIRST]), /by a newer Chartgate \(9002-second\.sql\)/);
    });

    it('goes forward only: a file that comes before an applied one is refused', async () => {
      await migrate(db, [...own, FIRST, SECOND]);
      await assert.rejects(
        migrate(db, [...own, FIRST, LATE, SECOND]),
        /9001-late\.sql .* before 9002-second\.sql/,
      );
      await assert.rejects(db.query(sql`select from late`), { code: '42P01' });
    });

    it('changes wholly or not at all', async () => {
      const broken = { name: '9002-broken.sql', text: 'create table late (id int); select 1 / 0' };
      await assert.rejects(migrate(db, [...own, FIRST, broken]), { code: '22012' });
      await assert.rejects(db.query(sql`select from first`), { code: '42P01' });
      assert.deepEqual(await migrate(db, [...own, FIRST]), [FIRST.name]);
    });
  });
}

describe('nodes that start at once on an empty database', () => {
  for (const count of [2, 6]) {
    it(`migrate it once, ${count} of them`, async () => {
      const url = await createDatabase({ template: 'template0' });
      const nodes: Db[] = Array.from({ length: count }, () => openPostgres(url));
      try {
        const applied = await Promise.all(nodes.map((node) => migrate(node)));
        const names = (await readMigrations()).map(({ name }) => name);
        assert.deepEqual(
          applied.filter((each) => each.length > 0),
          [names],
        );
      } finally {
        await Promise.all(nodes.map((node) => node.close()));
      }
    });
  }
});
