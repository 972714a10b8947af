import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import pg from 'pg';
import { openTestStore } from '../../../test/harness/store.ts';
import { openPostgres } from './postgres.ts';
import { SESSION_SETTINGS, isSessionSetting, withSessionSettings } from './session-settings.ts';
import { raw, sql } from './sql.ts';
import { columnTypes } from './types.ts';

/** Other values than the service relies on, as a database or a role may have them. */
const OTHERS = {
  datestyle: 'German',
  intervalstyle: 'sql_standard',
  bytea_output: 'escape',
  extra_float_digits: '-3',
  standard_conforming_strings: 'off',
  array_nulls: 'off',
  gin_fuzzy_search_limit: '1',
  default_transaction_isolation: 'serializable',
  jit: 'on',
  plan_cache_mode: 'force_custom_plan',
};

describe('the settings of a session', () => {
  it('case 508: are those of the service in every kind of connection, whatever the database and the address say', async () => {
    assert.deepEqual(Object.keys(OTHERS).toSorted(), Object.keys(SESSION_SETTINGS).toSorted());
    const store = await openTestStore('postgresql', { isNew: true });
    const databaseUrl = store.databaseUrl as string;
    const admin = new pg.Client({ connectionString: databaseUrl });
    await admin.connect();
    const database = new URL(databaseUrl).pathname.slice(1);
    for (const [name, value] of Object.entries(OTHERS))
      await admin.query(`alter database ${database} set ${name} = '${value}'`);
    await admin.query(`alter database ${database} set timezone = 'Asia/Kathmandu'`);
    await admin.end();
    const names = raw(
      Object.keys(SESSION_SETTINGS)
        .map((name) => `('${name}')`)
        .join(', '),
    );
    const settings = sql<{ name: string; value: string; own: string }>`
      select name, current_setting(name) as value, current_setting('work_mem') as own from (values ${names}) s(name)`;
    const given = encodeURIComponent('-c datestyle=SQL -c work_mem=3MB');
    const db = openPostgres(`${databaseUrl}?options=${given}`);
    const kinds = {
      statement: await db.query(settings),
      'look-up': await db.query({ ...settings, isLookUp: true }),
      transaction: await db.tx((tx) => tx.query(settings), { plans: 'kept' }),
    };
    for (const [kind, rows] of Object.entries(kinds))
      for (const { name, value, own } of rows) {
        assert.ok(isSessionSetting(name, value), `${name} of a ${kind} is ${value}`);
        assert.equal(own, '3MB');
      }
    const at = new Date('2026-11-30T21:15:16.789Z');
    const [row] = await db.query(
      sql<object>`select ${at}::timestamptz as at, date '2026-11-30' as day, 0.1::float8 + 0.2::float8 as sum,
        '\\x00ff'::bytea as bytes, ${['a', null]}::text[] as list, 'a\\d' as pattern`,
    );
    assert.deepEqual(
      { ...row },
      {
        at,
        day: '2026-11-30',
        sum: 0.1 + 0.2,
        bytes: Buffer.from([0, 255]),
        list: ['a', null],
        pattern: 'a\\d',
      },
    );
    await db.close();
    await store.remove();
  });

  for (const [url, options] of Object.entries({
    'postgresql://one/db': '',
    'postgresql://one/db?sslmode=require#x': '',
    'postgresql://one/db?options=-c%20search_path%3Down': '-c search_path=own ',
  }))
    it(`stand in the address after what the operator set: ${url}`, () => {
      const { searchParams } = new URL(withSessionSettings(url));
      const all = searchParams.getAll('options').at(-1) ?? '';
      assert.ok(all.startsWith(`${options}-c plan_cache_mode=force_generic_plan -c jit=off`));
      assert.ok(all.endsWith('-c default_transaction_isolation=read\\ committed'));
      assert.equal(searchParams.get('sslmode'), url.includes('sslmode') ? 'require' : null);
    });
});

describe('a time that PostgreSQL writes', () => {
  const parse = (oid: number, text: string) => columnTypes.getTypeParser(oid)(text as never);
  const { DATE, TIMESTAMPTZ } = pg.types.builtins;

  for (const [text, expected] of Object.entries({
    '2026-11-30 21:15:16.789123+00': '2026-11-30T21:15:16.789Z',
    '2026-11-30 21:15:16+05:45': '2026-11-30T15:30:16.000Z',
    '1890-01-01 00:19:32+00:19:32': '1890-01-01T00:00:00.000Z',
  }))
    it(`is read: ${text}`, () => assert.equal((parse(TIMESTAMPTZ, text) as Date).toISOString(), expected));

  it('is no Date where it is infinite', () => {
    assert.equal(parse(TIMESTAMPTZ, '-infinity'), -Infinity);
    assert.equal(parse(DATE, 'infinity'), 'infinity');
  });

  for (const [oid, text] of [
    [TIMESTAMPTZ, '30.11.2026 21:15:16.789 UTC'],
    [TIMESTAMPTZ, 'Mon Nov 30 21:15:16.789 2026 UTC'],
    [TIMESTAMPTZ, '11/30/2026 21:15:16.789 UTC'],
    [DATE, '30.11.2026'],
    [DATE, '11-30-2026'],
  ] as const)
    it(`is an error in another form, and no other time: ${text}`, () => {
      assert.throws(() => parse(oid, text), /another form than DateStyle = ISO/);
    });
});
