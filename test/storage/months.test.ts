import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { OrganizationId } from '../../contract/brands.ts';
import { createAuditLog, type Audit, type AuditEntry } from '../../server/platform/audit/append.ts';
import { dropAuditMonths, type DropDeps } from '../../server/platform/audit/drop-months.ts';
import { organizationEntries } from '../../server/platform/audit/entries.sql.ts';
import type { Fault } from '../../server/platform/audit/fault.ts';
import { sealAll } from '../../server/platform/audit/seal.ts';
import { verifyStore, type StoreVerification } from '../../server/platform/audit/verify-store.ts';
import { restoreBackup } from '../../server/platform/backup/restore-backup.ts';
import { one, type Db, type Queryable } from '../../server/platform/db/db.ts';
import { detachMonths, dropEmptyMonths } from '../../server/platform/db/detach-months.ts';
import { migrate, readMigrations } from '../../server/platform/db/migrate.ts';
import { addMonths, listPartitions, type MonthlyTable } from '../../server/platform/db/months.ts';
import { openPostgres } from '../../server/platform/db/postgres.ts';
import { raw, sql, type Sql } from '../../server/platform/db/sql.ts';
import { systemClock } from '../../server/platform/kernel/clock.ts';
import { generateId } from '../../server/platform/kernel/ids.ts';
import { createSigningKeys, listAllSigningKeys } from '../../server/platform/keys/signing-keys.ts';
import { importVerifyingKeys } from '../../server/platform/keys/verifying-keys.ts';
import { generateEventId } from '../../server/surfaces/webhooks/events/event-id.ts';
import { createDatabase, ENGINES, openTestStore, type TestStore } from '../harness/store.ts';
import { getBackupFile, RELEASES } from '../upgrade/releases.ts';

const TABLES = ['audit_entry', 'webhook_attempt', 'webhook_event'] as const;

const never = new AbortController().signal;

const buildEntry = (organizationId: OrganizationId): AuditEntry => ({
  organizationId,
  action: 'webhook.tested',
  actor: { kind: 'system', id: 'test' },
});

const count = async (on: Queryable, from: Sql): Promise<number> =>
  (await one(on, sql<{ rows: number }>`select count(*) as rows from ${from}`)).rows;

/** A clock that is where a test puts it. */
const createClock = (at: string) => {
  let time = new Date(at);
  return { now: () => time, set: (to: string) => void (time = new Date(to)) };
};

async function verify(db: Queryable): Promise<StoreVerification> {
  return verifyStore({ db, keys: await importVerifyingKeys(await listAllSigningKeys(db)) }, null);
}

class Undo extends Error {}

/** What a verification finds after a change, which is then undone. */
async function findFaultAfter(db: Db, change: Sql): Promise<Fault | null> {
  let fault: Fault | null = null;
  await db
    .tx(async (tx) => {
      await tx.query(change);
      ({ fault } = await verify(tx));
      throw new Undo();
    })
    .catch((error: unknown) => assert.ok(error instanceof Undo, String(error)));
  return fault;
}

for (const engine of ENGINES)
  describe(`the months of what grows, on ${engine}`, () => {
    let store: TestStore;
    let db: Db;
    before(async () => void ({ db } = store = await openTestStore(engine)));
    after(() => store.remove());

    const listNames = async (table: MonthlyTable): Promise<string[]> =>
      (await listPartitions(db, [table])).map(({ name }) => name);

    /** A log by a clock, and what drops its months. */
    const openLog = (clock: DropDeps['clock']): { audit: Audit; deps: DropDeps } => {
      const audit = createAuditLog({ db, clock });
      const keys = createSigningKeys({ db, clock: systemClock });
      return { audit, deps: { db, clock, keys, audit, baseUrl: 'https://chartgate.example' } };
    };

    it('are made ahead, also after years in which nobody was there, and no row may be in none of them', async () => {
      for (const table of TABLES) assert.equal((await listNames(table))[0], `${table}_first`);
      for (let turn = 0; turn < 2; turn++) await addMonths(db, new Date('2031-11-30T23:59:59Z'));
      for (const table of TABLES)
        assert.deepEqual(
          (await listNames(table)).slice(-4),
          ['2031_11', '2031_12', '2032_01', '2032_02'].map((month) => `${table}_${month}`),
        );
      const kinds = await db.query(sql<{ kind: string }>`
        select pg_get_expr(relpartbound, oid) as kind from pg_class where relispartition and relkind = 'r'`);
      assert.ok(kinds.length >= 15);
      assert.deepEqual(
        kinds.filter(({ kind }) => kind === 'DEFAULT'),
        [],
      );
    });

    it('are made for ids that miss theirs, of clocks that are years ahead', async () => {
      const organizationId = generateId<OrganizationId>();
      const clock = createClock('2040-02-29T12:00:00Z');
      const { audit } = openLog(clock);
      await Promise.all(Array.from({ length: 20 }, () => audit.append(buildEntry(organizationId))));
      clock.set('2040-04-30T12:00:00Z');
      await db.tx(async (tx) => {
        await audit.write(tx, buildEntry(organizationId));
        await tx.query(sql`
          insert into webhook_event (organization_id, event_id, project_id, type, occurred_at, data)
          values (${organizationId}, ${generateEventId(clock.now())}, ${organizationId}, 'webhook.test', ${clock.now()}, '{}')`);
      });
      assert.equal(await count(db, sql`audit_entry where organization_id = ${organizationId}`), 21);
      assert.equal(await count(db, raw('audit_entry_2040_02')), 20);
      assert.equal(await count(db, raw('webhook_event_2040_04')), 1);
      const violation = sql`
        insert into audit_entry (organization_id, entry_id, at, action, actor_kind, actor_id, outcome, detail, entry_hash)
        values (${organizationId}, ${generateId()}, now(), 'x', 'nobody', 'x', 'success', '{}', ${Buffer.alloc(32)})`;
      await assert.rejects(db.query(violation), {
        code: '23514',
        constraint: 'audit_entry_actor_kind_check',
      });
    });

    it('are dropped from the log while it is written and read; what is left of it verifies, and says what is gone', async () => {
      const organizationId = generateId<OrganizationId>();
      const inLog = sql`audit_entry where organization_id = ${organizationId}`;
      const clock = createClock('2035-01-10T00:00:00Z');
      const { audit, deps } = openLog(clock);
      const write = async (at: string, entries: number): Promise<void> => {
        clock.set(at);
        for (let entry = 0; entry < entries; entry++) await audit.append(buildEntry(organizationId));
      };
      await write('2035-01-10T00:00:00Z', 3);
      await sealAll(deps);
      // One block with entries of two months, and one that was sealed of a clock behind.
      await write('2035-01-31T23:59:59Z', 2);
      await write('2035-02-01T00:00:00Z', 4);
      await sealAll(deps);
      await write('2035-02-20T00:00:00Z', 5);
      await sealAll(deps);
      const late = createAuditLog({ db, clock: createClock('2035-01-05T00:00:00Z') });
      await late.append(buildEntry(organizationId));
      await write('2035-05-02T00:00:00Z', 1);
      const busy = new AbortController();
      let written = 0;
      const work = Array.from({ length: 4 }, async () => {
        while (!busy.signal.aborted) {
          await audit.append(buildEntry(organizationId));
          written++;
          await db.query(
            sql`select e.entry_id from ${organizationEntries({ organizationId }, { limit: 50 })} e`,
          );
        }
      });
      await dropAuditMonths(deps, 3, never);
      busy.abort();
      await Promise.all(work);
      await sealAll(deps);
      const gone = await verify(db);
      assert.equal(gone.fault, null);
      const [dropped] = gone.dropped.filter((each) => each.organizationId === organizationId);
      assert.deepEqual(
        [dropped?.before, dropped?.entries, dropped?.throughBlock, dropped?.ofLaterBlocks],
        [
          '2035-02-01T00:00:00.000Z',
          6,
          1,
          [
            [2, 2],
            [4, 1],
          ],
        ],
      );
      assert.equal(await count(db, inLog), 4 + 5 + 1 + written + 1);
      assert.ok(!(await listNames('audit_entry')).includes('audit_entry_2035_01'));

      const ofBlock = (block: number): Sql => sql`organization_id = ${organizationId} and block = ${block}`;
      const faults = await Promise.all([
        findFaultAfter(db, sql`delete from audit_entry where ${ofBlock(2)} and place = 2`),
        findFaultAfter(db, sql`delete from audit_entry where ${ofBlock(3)}`),
        findFaultAfter(
          db,
          sql`update audit_entry set detail = replace(detail::text, '"throughBlock":1', '"throughBlock":3')::json
            where entry_id = ${dropped?.entryId ?? ''}`,
        ),
        findFaultAfter(db, sql`delete from audit_entry where entry_id = ${dropped?.entryId ?? ''}`),
      ]);
      assert.deepEqual(
        faults.map((fault) => [fault?.what, fault?.block, fault?.place]),
        [
          ['missing', 2, 2],
          ['missing', 3, 0],
          ['missing', 1, 0],
          ['missing', 1, 0],
        ],
      );

      // The next month: one more entry, which stands for both.
      clock.set('2035-06-02T00:00:00Z');
      await dropAuditMonths(deps, 3, never);
      const next = (await verify(db)).dropped.find((each) => each.organizationId === organizationId);
      assert.deepEqual([next?.entries, next?.throughBlock, next?.ofLaterBlocks], [15, 3, [[4, 1]]]);
      assert.equal((await verify(db)).fault, null);
    });

    it('are dropped by the next run where one ended half way, and no verification takes that for an altered log', async () => {
      const organizationId = generateId<OrganizationId>();
      const clock = createClock('2036-01-10T00:00:00Z');
      const { audit, deps } = openLog(clock);
      await audit.append(buildEntry(organizationId));
      await sealAll(deps);
      const months = (await listPartitions(db, ['audit_entry'])).filter(
        ({ name }) => name === 'audit_entry_2036_01',
      );
      await detachMonths(db, { table: 'audit_entry', months }, never);
      await assert.rejects(verify(db), /is being dropped just now/);
      clock.set('2036-06-10T00:00:00Z');
      await dropAuditMonths(deps, 3, never);
      const { fault, dropped } = await verify(db);
      assert.deepEqual([fault, dropped.some((each) => each.organizationId === organizationId)], [null, true]);
      // The entry of the test before that said what was dropped was in a month that is dropped too: a later one says all of it.
      assert.ok(dropped.every(({ before }) => before === '2036-03-01T00:00:00.000Z'));
    });

    it('of events are dropped once nothing of them is left', async () => {
      const at = new Date('2037-03-05T00:00:00Z');
      await addMonths(db, at);
      const insert = (time: Date): Sql => sql`
        insert into webhook_event (organization_id, event_id, project_id, type, occurred_at, data)
        values (${generateId()}, ${generateEventId(time)}, ${generateId()}, 'webhook.test', ${time}, '{}')`;
      await db.query(insert(at));
      const tables = ['webhook_event', 'webhook_attempt'] as const;
      await dropEmptyMonths(db, { tables, before: new Date('2037-05-03T00:00:00Z') }, never);
      for (const table of tables) {
        const names = await listNames(table);
        assert.deepEqual(
          names.filter((name) => name.includes('_2037_')),
          ['03', '05', '06'].map((month) => `${table}_2037_${month}`),
        );
      }
    });
  });

describe('a store of before there were months', () => {
  it('keeps every row, of a backup too', async () => {
    const release = RELEASES.at(-1) ?? assert.fail();
    const store = await openTestStore('postgresql', { isEmpty: true });
    const { tables } = await restoreBackup(store.db, getBackupFile(release));
    for (const table of TABLES) {
      const { rows } = tables.find(({ name }) => name === table) ?? assert.fail();
      assert.ok(rows > 0, table);
      assert.equal(await count(store.db, raw(table)), rows);
      assert.equal(await count(store.db, raw(`only ${table}_first`)), rows);
    }
    assert.equal((await verify(store.db)).fault, null);
    await store.remove();
  });

  it('is written and read by a node of before while it is migrated, and after', async () => {
    const url = await createDatabase({ template: 'template0' });
    const [db, other] = [openPostgres(url), openPostgres(url)];
    const all = await readMigrations();
    await migrate(
      db,
      all.filter(({ name }) => name < '0083'),
    );
    const organizationId = generateId<OrganizationId>();
    const audit = createAuditLog({ db, clock: systemClock });
    const busy = new AbortController();
    const done = { written: 0 };
    const work = Array.from({ length: 4 }, async () => {
      while (!busy.signal.aborted) {
        await audit.append(buildEntry(organizationId));
        await db.tx((tx) => audit.write(tx, buildEntry(organizationId)));
        done.written += 2;
        await db.query(
          sql`select e.entry_id from ${organizationEntries({ organizationId }, { limit: 50 })} e`,
        );
      }
    });
    while (done.written < 40) await new Promise((resolve) => setImmediate(resolve));
    const applied = await migrate(
      other,
      all.filter(({ name }) => name < '0086'),
    );
    const enough = { written: done.written + 40 };
    while (done.written < enough.written) await new Promise((resolve) => setImmediate(resolve));
    busy.abort();
    await Promise.all(work);
    assert.deepEqual(
      applied.map((name) => name.slice(0, 4)),
      ['0083', '0084', '0085'],
    );
    assert.equal(await count(db, raw('audit_entry')), done.written);
    await addMonths(db, new Date());
    const indexes = await db.query(sql<{ name: string; indexes: number }>`
      select indrelid::regclass::text as name, count(*) as indexes from pg_index
      where indrelid::regclass::text ~ '^audit_entry' and indisvalid group by 1 order by 1`);
    assert.equal(new Set(indexes.map((each) => each.indexes)).size, 1, JSON.stringify(indexes));
    await other.close();
    await db.close();
  });
});
