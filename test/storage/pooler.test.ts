import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { findPoolerFault } from '../../server/platform/db/pooler-fault.ts';
import { openPostgres } from '../../server/platform/db/postgres.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { hasPgBouncer, startPgBouncer, type TestPgBouncer } from '../harness/pgbouncer.ts';
import { openTestStore, type TestStore } from '../harness/store.ts';
import { runCommand } from '../harness/cli.ts';

const skip = hasPgBouncer() ? false : 'PgBouncer is not here, and could not be installed';

const IGNORED = { ignore_startup_parameters: 'options,statement_timeout' };

describe('PgBouncer before PostgreSQL', { skip }, () => {
  let store: TestStore;
  before(async () => void (store = await openTestStore('postgresql')));
  after(() => store.remove());

  async function withPgBouncer(
    settings: Record<string, string>,
    work: (pooler: TestPgBouncer) => Promise<void>,
  ): Promise<void> {
    const pooler = await startPgBouncer(store.databaseUrl as string, settings);
    try {
      await work(pooler);
    } finally {
      await pooler.stop();
    }
  }

  async function sendToConsole({ url }: TestPgBouncer, command: string): Promise<void> {
    const client = new pg.Client({ connectionString: new URL('/pgbouncer', url).href });
    await client.connect();
    await client.query(command);
    await client.end();
  }

  it('is not taken for what it is not: PostgreSQL itself, and nobody', async () => {
    assert.equal(await findPoolerFault(store.databaseUrl as string), null);
    assert.equal(await findPoolerFault('postgresql://nobody@127.0.0.1:1/none'), null);
  });

  for (const [name, settings] of [
    ['by transaction', { pool_mode: 'transaction' }],
    ['by statement', { pool_mode: 'statement', ...IGNORED }],
    ['by transaction in turns', { pool_mode: 'transaction', server_round_robin: '1', ...IGNORED }],
    ['by transaction with one connection', { pool_mode: 'transaction', default_pool_size: '1', ...IGNORED }],
  ] as const)
    it(`is refused in a sentence where it pools ${name}`, async () => {
      await withPgBouncer(settings, async ({ url }) => {
        assert.match((await findPoolerFault(url)) ?? '', /a pooler in session mode: 127\.0\.0\.1:\d+ gives/);
      });
    });

  it('serves in session mode, once the role has the settings that it drops, which a start says', async () => {
    const role = new URL(store.databaseUrl as string).username;
    await withPgBouncer({ pool_mode: 'session' }, async ({ url }) => {
      const environment = { DATABASE_URL: url, CHARTGATE_LOG_LEVEL: 'error' };
      const { code, stderr } = await runCommand(['jobs'], { environment });
      assert.equal(code, 1);
      assert.match(stderr, new RegExp(`ignore_startup_parameters.*alter role ${role} set plan_cache_mode`));
      // What PostgreSQL has so by itself need not be set.
      assert.doesNotMatch(stderr, /default_transaction_isolation|datestyle/);
    });
    await withPgBouncer({ pool_mode: 'session', ...IGNORED }, async ({ url }) => {
      assert.match((await findPoolerFault(url)) ?? '', /drops what connections are set to/);
      const { pathname } = new URL(url);
      const admin = new pg.Client({ connectionString: store.databaseUrl });
      await admin.connect();
      for (const setting of [
        "plan_cache_mode = 'force_generic_plan'",
        'jit = off',
        "statement_timeout = '60s'",
      ])
        await admin.query(`alter role ${role} in database ${pathname.slice(1)} set ${setting}`);
      assert.equal(await findPoolerFault(url), null);
      // Nothing but the role's settings reaches PostgreSQL.
      const ofDatabase = `alter role ${role} in database ${pathname.slice(1)}`;
      await admin.query(`${ofDatabase} set default_transaction_isolation = 'serializable'`);
      await withPgBouncer({ pool_mode: 'session', ...IGNORED }, async (other) => {
        const fault = (await findPoolerFault(other.url)) ?? '';
        assert.ok(
          fault.includes(`"alter role ${role} set default_transaction_isolation = 'read committed'";`),
          fault,
        );
      });
      await admin.query(`${ofDatabase} reset default_transaction_isolation`);
      await admin.query(`${ofDatabase} set datestyle = 'German, DMY'`);
      await withPgBouncer({ pool_mode: 'session', ...IGNORED, admin_users: role }, async (other) => {
        assert.match((await findPoolerFault(other.url)) ?? '', /set datestyle = 'ISO'"; .* RECONNECT$/);
        await admin.query(`${ofDatabase} set datestyle = 'ISO'`);
        // It goes on to give what its first connection had.
        assert.match((await findPoolerFault(other.url)) ?? '', /set datestyle/);
        for (const command of ['RELOAD', 'RECONNECT']) await sendToConsole(other, command);
        assert.equal(await findPoolerFault(other.url), null);
      });
      await admin.end();
      const db = openPostgres(url);
      const asked = Array.from({ length: 40 }, async (_, number) => {
        const statement = sql<{ number: number }>`select ${number}::int as number`;
        const on = number % 2 === 0 ? db.query(statement) : db.tx((tx) => tx.query(statement));
        assert.deepEqual(await on, [{ number }]);
      });
      await Promise.all(asked);
      await db.close();
    });
  });
});
