import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { one, type Db } from '../../server/platform/db/db.ts';
import {
  startMaintenance,
  createMaintenanceTick,
  vacuumIndexes,
} from '../../server/platform/db/maintenance.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { createTestClock } from '../harness/clock.ts';
import { openTestStore, type TestStore } from '../harness/store.ts';

const MIB = 1024 * 1024;
const LIMITS = {
  intervalMs: 1_000_000,
  walBytes: 4 * MIB,
  checkpointMs: 60_000,
  vacuumBytes: 8 * MIB,
  indexBytes: 32 * 1024,
};

describe('maintenance of the embedded store', () => {
  let store: TestStore;
  let db: Db;
  const clock = createTestClock();
  before(async () => {
    ({ db } = store = await openTestStore('embedded', { isNew: true }));
    await db.query(sql`create table thing (id int, body text)`);
  });
  after(() => store.remove());

  const write = (bytes: number): Promise<unknown> =>
    db.query(
      sql`insert into thing select n, repeat(md5(n::text), 32) from generate_series(1, ${Math.ceil(bytes / 1024)}::int) n`,
    );

  it('does nothing while nothing is written, however long', async () => {
    const round = createMaintenanceTick(db, clock, LIMITS);
    await round();
    await write(5 * MIB);
    assert.deepEqual(await round(), ['checkpoint']);
    clock.advance(3_600_000);
    assert.deepEqual(await round(), []);
  });

  it('makes a checkpoint after so much log, and not before', async () => {
    const round = createMaintenanceTick(db, clock, LIMITS);
    await round();
    await write(MIB);
    assert.deepEqual(await round(), []);
    await write(4 * MIB);
    assert.deepEqual(await round(), ['checkpoint']);
    assert.deepEqual(await round(), []);
  });

  it('makes a checkpoint of a little when it is old enough', async () => {
    const round = createMaintenanceTick(db, clock, LIMITS);
    await round();
    await write(1024);
    clock.advance(59_000);
    assert.deepEqual(await round(), []);
    clock.advance(1_000);
    assert.deepEqual(await round(), ['checkpoint']);
  });

  it('vacuums and analyzes after much was written, so that space is used again and plans know the tables', async () => {
    const round = createMaintenanceTick(db, clock, LIMITS);
    await round();
    await db.query(sql`truncate thing`);
    await write(9 * MIB);
    await db.query(sql`delete from thing where id % 2 = 0`);
    // Else the count of the deleted rows may reach the statistics after the vacuum has set it to none.
    await db.query(sql`select pg_stat_force_next_flush()`);
    assert.deepEqual(await round(), ['checkpoint', 'vacuum']);
    const table = await one(
      db,
      sql<{ rows: number; dead: number; vacuums: number }>`
      select c.reltuples::int as rows, s.n_dead_tup as dead, s.vacuum_count as vacuums
      from pg_class c join pg_stat_user_tables s on s.relid = c.oid where c.relname = 'thing'`,
    );
    assert.ok(Math.abs(table.rows - 4608) < 500, `${table.rows} rows known`);
    assert.equal(table.dead, 0);
    assert.equal(table.vacuums, 1);
  });

  it('case 360: leaves large indexes, of which a vacuum reads all, to the next start', async () => {
    const asked: string[] = [];
    const watched: Db = {
      ...db,
      query(statement) {
        if (statement.text.startsWith('vacuum')) asked.push(statement.text);
        return db.query(statement);
      },
    };
    const isOfThing = (text: string): boolean => text.includes('"thing"');
    const round = createMaintenanceTick(watched, clock, LIMITS);
    await round();
    await write(9 * MIB);
    await round();
    await vacuumIndexes(watched, LIMITS);
    assert.deepEqual(
      asked.filter(isOfThing),
      ['vacuum "thing"'],
      'it has no index, and is left alone at a start',
    );
    await db.query(sql`create index thing_id on thing (id)`);
    await write(9 * MIB);
    await db.query(sql`delete from thing where id % 3 = 0`);
    asked.length = 0;
    await round();
    assert.deepEqual(asked.filter(isOfThing), ['vacuum (index_cleanup off) "thing"']);
    asked.length = 0;
    await vacuumIndexes(watched, LIMITS);
    assert.deepEqual(asked.filter(isOfThing), ['vacuum "thing"']);
    asked.length = 0;
    await vacuumIndexes({ ...watched, engine: 'postgresql' }, LIMITS);
    assert.deepEqual(asked, []);
    await db.query(sql`drop index thing_id`);
  });

  it('keeps the log on disk bounded while records are written', async () => {
    const logged = (): number => {
      const folder = path.join(store.dataDirectory, 'store', 'pg_wal');
      const sizes = fs
        .readdirSync(folder)
        .filter((name) => /^[0-9A-F]{24}$/.test(name))
        .map((name) => fs.statSync(path.join(folder, name)).size);
      return sizes.reduce((sum, size) => sum + size, 0) / MIB;
    };
    await db.query(sql`truncate thing`);
    const round = createMaintenanceTick(db, clock, { ...LIMITS, walBytes: 32 * MIB, vacuumBytes: Infinity });
    let most = 0;
    for (let part = 0; part < 12; part++) {
      await write(16 * MIB);
      await db.query(sql`truncate thing`);
      await round();
      most = Math.max(most, logged());
    }
    assert.ok(most <= 128, `${most} MiB of log after 192 MiB written`);
  });

  it('runs on a timer beside the work, and ends before the store is closed', async () => {
    const asked: string[] = [];
    let closed = false;
    const watched: Db = {
      ...db,
      query(statement) {
        assert.equal(closed, false);
        asked.push(statement.text.trim());
        return db.query(statement);
      },
      close: () => Promise.resolve(void (closed = true)),
    };
    const healthy = startMaintenance(watched, clock, { ...LIMITS, intervalMs: 20, walBytes: 1 });
    await healthy.query(sql`select 1`);
    while (!asked.includes('checkpoint')) await write(1024);
    await healthy.close();
    assert.equal(closed, true);
  });
});

it('keeps whose a row is out of the statistics, by which one known patient makes any index look as good for the next', async () => {
  const store = await openTestStore('embedded', { isNew: true });
  const { db } = store;
  const round = createMaintenanceTick(db, createTestClock(), LIMITS);
  await round();
  await db.query(sql`
    create table owned as
    select '00000000-0000-0000-0000-000000000001'::uuid as patient_id, n as seq, repeat(md5(n::text), 32) as body
    from generate_series(1, 12000) n`);
  await db.query(sql`create index owned_by_key on owned (patient_id, seq)`);
  await db.query(sql`create index owned_by_patient on owned (patient_id)`);
  const listKnown = async (): Promise<string[]> =>
    (
      await db.query(
        sql<{
          name: string;
        }>`select attname::text as name from pg_stats where tablename = 'owned' order by 1`,
      )
    ).map(({ name }) => name);
  await db.query(sql`analyze owned`);
  assert.deepEqual(await listKnown(), ['body', 'patient_id', 'seq']);
  await vacuumIndexes(db, LIMITS);
  assert.deepEqual(await listKnown(), ['body', 'seq']);
  await db.query(sql`analyze owned`);
  assert.ok((await round()).includes('vacuum'));
  assert.deepEqual(await listKnown(), ['body', 'seq']);
  const plan = await db.query(sql<{ 'QUERY PLAN': string }>`
    explain select from owned where patient_id = '00000000-0000-0000-0000-000000000002' and seq between 7 and 7`);
  assert.match(plan.map((row) => row['QUERY PLAN']).join('\n'), /owned_by_key/);
  await store.remove();
});
