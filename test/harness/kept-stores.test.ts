import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import type { Db } from '../../server/platform/db/db.ts';
import { one } from '../../server/platform/db/db.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { ENGINES, openTestStore } from './store.ts';

/** When the server of the store was made, and which of its databases it is: the same for a store that was handed on. */
const identify = async (db: Db): Promise<string> =>
  (
    await one(
      db,
      sql<{ store: string }>`select concat(current_database(), pg_postmaster_start_time()::text) as store`,
    )
  ).store;

const insertPatient = (db: Db): Promise<unknown> =>
  db.query(sql`insert into patient (patient_id, email, first_name, last_name, created_at)
    values (gen_random_uuid(), 'ada@example.org', 'Ada', 'Nowak', now())`);

/** Opens a store, does something with it, gives it back, and says whether the next test gets it. */
async function isHandedOn(
  engine: (typeof ENGINES)[number],
  action: (store: Awaited<ReturnType<typeof openTestStore>>) => unknown,
): Promise<boolean> {
  const store = await openTestStore(engine);
  const before = await identify(store.db);
  await action(store);
  await store.remove();
  const next = await openTestStore(engine);
  const after = await identify(next.db);
  await next.remove();
  return before === after;
}

for (const engine of ENGINES)
  describe(`a store that a test gives back, on ${engine}`, () => {
    it('is empty when the next has it, and its folder too', async () => {
      const isSame = await isHandedOn(engine, async ({ db, dataDirectory }) => {
        await insertPatient(db);
        db.capacity.set('full');
        fs.writeFileSync(path.join(dataDirectory, 'outbox'), 'a mail');
      });
      assert.ok(isSame);
      const { db, dataDirectory, remove } = await openTestStore(engine);
      assert.deepEqual(await db.query(sql`select email from patient`), []);
      assert.equal(db.capacity.level(), 'ample');
      assert.ok(!fs.existsSync(path.join(dataDirectory, 'outbox')));
      await remove();
    });

    if (engine === 'postgresql')
      it('is not handed on with another schema, nor with statistics, nor where it may be open elsewhere', async () => {
        const alter = sql`create index extra on patient (first_name)`;
        assert.equal(await isHandedOn(engine, ({ db }) => db.query(alter)), false);
        assert.equal(await isHandedOn(engine, ({ db }) => db.query(sql`analyze patient`)), false);
        assert.equal(await isHandedOn(engine, (store) => store.databaseUrl), false);
      });

    it('is closed for the test that gave it back', async () => {
      const { db, remove } = await openTestStore(engine);
      await remove();
      await assert.rejects(db.query(sql`select 1`), /the store is closed/);
      await assert.rejects(
        db.tx(async () => {}),
        /the store is closed/,
      );
    });
  });
