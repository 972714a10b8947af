import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { migrate, readMigrations, type Migration } from '../../server/platform/db/migrate.ts';
import type { Db } from '../../server/platform/db/db.ts';
import { openPostgres } from '../../server/platform/db/postgres.ts';
import { RestrictedScope } from '../../contract/data-categories.ts';
import { identifyApp } from '../../server/surfaces/oauth/apps/app-identity.ts';
import { toLabelMask, toWithheldMask } from '../../server/consent/access/sensitivity-labels.ts';
import { raw, sql, type Sql } from '../../server/platform/db/sql.ts';
import { generateId } from '../../server/platform/kernel/ids.ts';
import { ENGINES, createDatabase, openTestStore, type TestStore } from '../harness/store.ts';
import { waitUntil } from '../harness/wait-until.ts';

const FIRST: Migration = {
  name: '9001-first.sql',
  text: 'create table first (id int); create index on first (id)',
};
const SECOND: Migration = { name: '9002-second.sql', text: 'alter table first add name text' };
const BESIDE: Migration = {
  name: '9003-beside.sql',
  text: `-- Beside readers; and writers.
create index concurrently if not exists first_by_name on first (name);
create unique index concurrently if not exists first_by_id on first (id, name);`,
};
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

    it('changes by each file wholly or not at all', async () => {
      const broken = { name: '9002-broken.sql', text: 'create table late (id int); select 1 / 0' };
      await assert.rejects(migrate(db, [...own, FIRST, broken]), { code: '22012' });
      await assert.rejects(db.query(sql`select from late`), { code: '42P01' });
      assert.deepEqual(await migrate(db, [...own, FIRST, SECOND]), [SECOND.name]);
    });

    it('gets indexes that are built beside', async () => {
      await migrate(db, [...own, FIRST, SECOND]);
      assert.deepEqual(await migrate(db, [...own, FIRST, SECOND, BESIDE]), [BESIDE.name]);
      assert.deepEqual(await listIndexes(db), ['first_by_id', 'first_by_name', 'first_id_idx']);
    });
  });
}

/** A transaction that has run a statement, and ends by `end`. */
async function openTransaction(db: Db, statement: Sql): Promise<{ end(): Promise<void> }> {
  const ran = Promise.withResolvers<void>();
  const ending = Promise.withResolvers<void>();
  const done = db.tx(async (tx) => {
    await tx.query(statement);
    ran.resolve();
    await ending.promise;
  });
  await ran.promise;
  return {
    end() {
      ending.resolve();
      return done;
    },
  };
}

/** Waits until somebody waits for a lock of this kind. */
async function waitForWaiter(db: Db, lock: Sql): Promise<void> {
  const isWaitedFor = async (): Promise<boolean> =>
    (await db.query(sql`select from pg_locks where not granted and ${lock}`)).length > 0;
  await waitUntil('somebody waits for the lock', isWaitedFor, 5);
}

describe('a schema that is brought up to date while it is served', () => {
  let store: TestStore;
  let db: Db;
  let own: Migration[];
  before(async () => {
    own = await readMigrations();
    ({ db } = store = await openTestStore('postgresql'));
    await migrate(db, [...own, FIRST]);
  });
  after(() => store.remove());

  it('lets readers pass who wait behind a migration that waits for a table', async () => {
    const reader = await openTransaction(db, sql`select from first`);
    const migrated = migrate(db, [...own, FIRST, SECOND]);
    await waitForWaiter(db, sql`relation = 'first'::regclass and mode = 'AccessExclusiveLock'`);
    // Would wait for as long as the first reader goes on, if the migration waited for it.
    await db.query(sql`select from first`);
    await reader.end();
    assert.deepEqual(await migrated, [SECOND.name]);
  });

  it('takes writes into a table while an index of it is built, and drops what an attempt left unfinished', async () => {
    await db.query(sql`insert into first (id) values (1), (1)`);
    const unique = raw('create unique index concurrently first_by_name on first (id)');
    await assert.rejects(db.query(unique), { code: '23505' });
    const writer = await openTransaction(db, sql`insert into first (id) values (2)`);
    const migrated = migrate(db, [...own, FIRST, SECOND, BESIDE]);
    await waitForWaiter(db, sql`locktype = 'virtualxid' and mode = 'ShareLock'`);
    await db.query(sql`insert into first (id) values (3)`);
    const others = [
      migrate(db, [...own, FIRST, SECOND, BESIDE]),
      migrate(db, [...own, FIRST, SECOND, BESIDE]),
    ];
    await writer.end();
    assert.deepEqual([await migrated, ...(await Promise.all(others))].flat(), [BESIDE.name]);
    assert.deepEqual(await listIndexes(db), ['first_by_id', 'first_by_name', 'first_id_idx']);
  });
});

describe('a partitioned table that is served', () => {
  const PARTED: Migration = {
    name: '9001-parted.sql',
    text: `create table parted (id int, name text) partition by range (id);
      create table parted_1 partition of parted for values from (1) to (2);
      create table parted_2 partition of parted for values from (2) to (3)`,
  };
  const INDEX: Migration = {
    name: '9002-parted-by-name.sql',
    text: 'create index concurrently if not exists by_name on parted (name);',
  };

  it('gets an index on each partition beside writers, from where a broken attempt ended, and on those to come', async () => {
    const own = await readMigrations();
    const store = await openTestStore('postgresql');
    const { db } = store;
    try {
      await migrate(db, [...own, PARTED]);
      // What an attempt left: one partition has its own, of another it was not finished.
      await db.query(raw('create index by_name on only parted (name)'));
      await db.query(raw('create index parted_1_by_name on parted_1 (name)'));
      await db.query(raw('alter index by_name attach partition parted_1_by_name'));
      await db.query(raw("insert into parted values (2, 'a'), (2, 'a')"));
      const unfinished = raw('create unique index concurrently parted_2_by_name on parted_2 (name)');
      await assert.rejects(db.query(unfinished), { code: '23505' });
      const writer = await openTransaction(db, sql`insert into parted values (2, 'b')`);
      const migrated = migrate(db, [...own, PARTED, INDEX]);
      await waitForWaiter(db, sql`locktype = 'virtualxid' and mode = 'ShareLock'`);
      await db.query(sql`insert into parted values (1, 'c')`);
      await writer.end();
      assert.deepEqual(await migrated, [INDEX.name]);
      await db.query(raw('create table parted_3 partition of parted for values from (3) to (4)'));
      assert.deepEqual(await listIndexes(db, ['parted', 'parted_1', 'parted_2', 'parted_3']), [
        'by_name',
        'parted_1_by_name',
        'parted_2_by_name',
        'parted_3_name_idx',
      ]);
    } finally {
      await store.remove();
    }
  });
});

/** Names of the indexes of tables that are complete. */
async function listIndexes(db: Db, tables = ['first']): Promise<string[]> {
  const rows = await db.query(sql<{ name: string }>`
    select indexrelid::regclass::text as name from pg_index
    where indrelid = any(${tables}::regclass[]) and indisvalid order by 1`);
  return rows.map(({ name }) => name);
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

describe('an upgrade', () => {
  it('gives each grant of before what its own decision covered and is still shared', async () => {
    const all = await readMigrations();
    const db = openPostgres(await createDatabase({ template: 'template0' }));
    try {
      await migrate(
        db,
        all.filter(({ name }) => name < '0050'),
      );
      const [narrow, wide, older] = await Promise.all([
        insertOldGrant(db, {
          categories: ['MEDICATIONS', 'LABS'],
          classes: ['NORMAL', 'HIV_OR_STI'],
          withheld: 0,
        }),
        insertOldGrant(db, { categories: null, classes: ['NORMAL'], withheld: 0b1000 }),
        insertOldGrant(db, { categories: null, classes: null, withheld: 0 }),
      ]);
      await migrate(db, all);
      const rows = await db.query(sql<{ id: string; withheld: number }>`
        select grant_id as id, withheld from oauth_grant`);
      const withheld = new Map(rows.map((row) => [row.id, row.withheld]));
      const apps = await db.query(sql<{ app_id: string }>`select distinct app_id from oauth_grant`);
      const { appId } = identifyApp({
        clientId: 'agent',
        name: null,
        host: null,
        redirectUri: 'http://[::1]/',
      });
      assert.deepEqual(apps, [{ app_id: appId }], 'the app that the same client is when it asks again');
      const restricted = toLabelMask(RestrictedScope.options);
      assert.deepEqual(
        [narrow, wide, older].map((id) => withheld.get(id)),
        [
          toWithheldMask({
            resourceScopes: ['MEDICATIONS', 'LABS'],
            sensitivityScopes: ['NORMAL', 'HIV_OR_STI'],
          }),
          restricted | 0b1000,
          0,
        ],
      );
    } finally {
      await db.close();
    }
  });

  it('says of each decision of before since when a consent was in force that it changed or ended', async () => {
    const all = await readMigrations();
    const db = openPostgres(await createDatabase({ template: 'template0' }));
    try {
      await migrate(
        db,
        all.filter(({ name }) => name < '0061'),
      );
      await insertOldDecisions(db, [
        ['OPTED_OUT', '2025-01-01', '2026-01-01'],
        ['OPTED_IN', '2025-01-02', '2025-03-01'],
        ['OPTED_IN', '2025-01-03', '2025-02-01'],
        ['OPTED_OUT', '2025-01-04', '2026-01-01'],
        ['OPTED_OUT', '2025-01-05', '2026-01-01'],
        ['OPTED_IN', '2025-01-06', '2025-01-07'],
        ['OPTED_IN', '2025-01-07', '2026-01-01'],
      ]);
      await migrate(db, all);
      const rows = await db.query(sql<{ day: string; since: string | null; seconds: number }>`
        select to_char(decided_at, 'DD') as day, to_char(in_force_since, 'DD') as since, session_seconds as seconds
        from consent_record order by decided_at`);
      assert.deepEqual(
        rows.map(({ day, since }) => [day, since]),
        [
          ['01', null],
          ['02', '02'],
          ['03', '02'],
          ['04', '02'],
          ['05', null],
          ['06', '06'],
          ['07', '07'],
        ],
      );
      assert.ok(rows.every(({ seconds }) => seconds === 42));
    } finally {
      await db.close();
    }
  });
});

/** Inserts decisions of one patient on one consent: status, time and end. */
async function insertOldDecisions(
  db: Db,
  decisions: readonly (readonly [status: string, decidedAt: string, expiresAt: string])[],
): Promise<void> {
  const [patientId, projectId, organizationId] = [generateId(), generateId(), generateId()];
  for (const [status, decidedAt, expiresAt] of decisions)
    await db.query(sql`
      insert into consent_record (patient_id, consent_record_id, organization_id, project_id, consent_type, consent_status,
        decided_at, expires_at, consent_stats, study_snapshot_id, consent_ui_flow, ui_hash)
      values (${patientId}, ${generateId()}, ${organizationId}, ${projectId}, 'DATA_AUTHORIZATION', ${status}, ${decidedAt},
        ${expiresAt}, '{"sessionLength": 42}', 'none', 'none', 'none')`);
}

interface OldGrant {
  categories: readonly string[] | null;
  classes: readonly string[] | null;
  /** What the consent in force leaves out. */
  withheld: number;
}

/** Inserts a consent with a grant as they were before grants had a width of their own; returns the grant's id. */
async function insertOldGrant(db: Db, { categories, classes, withheld }: OldGrant): Promise<string> {
  const [patientId, projectId, recordId, grantId] = [generateId(), generateId(), generateId(), generateId()];
  await db.query(sql`
    insert into consent_record (patient_id, consent_record_id, organization_id, project_id, consent_type, consent_status,
      decided_at, expires_at, consent_stats, study_snapshot_id, consent_ui_flow, ui_hash, consent_data_resource_scopes,
      consent_data_sensitivity_scopes)
    values (${patientId}, ${recordId}, ${generateId()}, ${projectId}, 'PATIENT_DIRECTED_DATA_EXCHANGE', 'OPTED_IN', now(),
      '2100-01-01', '{}', 'none', 'none', 'none', ${categories}, ${classes})`);
  await db.query(sql`
    insert into consent (patient_id, project_id, consent_type, consent_record_id, consent_status, expires_at, decided_at, withheld)
    values (${patientId}, ${projectId}, 'PATIENT_DIRECTED_DATA_EXCHANGE', ${generateId()}, 'OPTED_IN', '2100-01-01', now(),
      ${withheld})`);
  await db.query(sql`
    insert into oauth_grant (patient_id, grant_id, organization_id, project_id, client_id, scope, resource, refreshable,
      consent_record_id, created_at, rotated_at, expires_at)
    values (${patientId}, ${grantId}, ${generateId()}, ${projectId}, 'agent', 'patient/*.read', 'none', false, ${recordId},
      now(), now(), '2100-01-01')`);
  return grantId;
}
