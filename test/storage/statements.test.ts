import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { bigintArray, byteaArray, integerArray, textArray } from '../../server/platform/db/array-values.ts';
import { one, type Db } from '../../server/platform/db/db.ts';
import { sql, getStatementName, type Sql } from '../../server/platform/db/sql.ts';
import { ENGINES, openTestStore, type TestStore } from '../harness/store.ts';

const toParts = ({ text, values }: Sql) => ({ text, values });

describe('a statement', () => {
  it('binds its values in order', () => {
    assert.deepEqual(toParts(sql`select ${1}, ${'a'}`), { text: 'select $1, $2', values: [1, 'a'] });
  });

  it('numbers the parameters of fragments after those before them, at any depth', () => {
    const inner = sql`b = ${'b'} and c = ${'c'}`;
    const middle = sql`(a = ${'a'} or ${inner})`;
    assert.deepEqual(toParts(sql`select ${0} where ${middle} and ${inner} limit ${9}`), {
      text: 'select $1 where (a = $2 or b = $3 and c = $4) and b = $5 and c = $6 limit $7',
      values: [0, 'a', 'b', 'c', 'b', 'c', 9],
    });
  });

  it('keeps numbers of two digits apart', () => {
    const eleven = sql`${1}${2}${3}${4}${5}${6}${7}${8}${9}${10}${11}`;
    const { text } = sql`${0}${eleven}`;
    assert.equal(text, '$1$2$3$4$5$6$7$8$9$10$11$12');
  });

  it('is prepared under one name however often it is written with other values', () => {
    const ask = (value: number) => sql`select ${value}::int as number`;
    assert.equal(getStatementName(ask(1).text), getStatementName(ask(2).text));
    assert.notEqual(getStatementName(ask(1).text), getStatementName('select 1'));
  });
});

for (const engine of ENGINES) {
  describe(`values on ${engine}`, () => {
    let store: TestStore;
    let db: Db;
    before(async () => ({ db } = store = await openTestStore(engine)));
    after(() => store.remove());

    const read = async (text: string): Promise<unknown> =>
      ((await one(db, { text: `select ${text} as value`, values: [] })) as { value: unknown }).value;

    it('case 343: compresses long bodies by lz4, or where it is not there, not at all: that held up all others', async () => {
      const columns = await db.query(sql<{ name: string; storage: string; compression: string }>`
        select attrelid::regclass || '.' || attname as name, attstorage as storage, attcompression as compression
        from pg_attribute where attnum > 0 and (attname = 'body' and attrelid::regclass in ('resource', 'resource_version', 'replaced_resource')
          or attname = 'detail' and attrelid::regclass = 'clinical_entry'::regclass) order by 1`);
      const names = [
        'clinical_entry.detail',
        'replaced_resource.body',
        'resource.body',
        'resource_version.body',
      ];
      const isLz4 = (name: string): boolean => ['clinical_entry.detail', 'resource.body'].includes(name);
      assert.deepEqual(
        columns,
        names.map((name) =>
          engine === 'embedded'
            ? { name, storage: 'e', compression: '' }
            : { name, storage: 'x', compression: isLz4(name) ? 'l' : '' },
        ),
      );
    });

    it('reads back the arrays that are bound in binary', async () => {
      const texts = ['', null, 'a,"b"\\{NULL}', 'é\u{1F600}\n', 'NULL', 'x'.repeat(100_000)];
      const bytes = [Buffer.from([0, 1, 255]), Buffer.alloc(0)];
      const bigints = [0, -1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 2 ** 32, -(2 ** 32) - 1];
      const integers = [0, -1, 2 ** 31 - 1, -(2 ** 31)];
      const statement = sql<Record<'texts' | 'bytes' | 'bigints' | 'integers' | 'none', unknown[]>>`
        select ${textArray(texts)} as texts, ${byteaArray(bytes)} as bytes, to_json(${bigintArray(bigints)}) as bigints,
          ${integerArray(integers)} as integers, ${textArray([])} as none`;
      assert.deepEqual(await one(db, statement), {
        texts,
        bytes,
        bigints: JSON.stringify(bigints),
        integers,
        none: [],
      });
    });

    it('reads int8 as an integer as far as that is exact, and refuses what is beyond', async () => {
      assert.equal(await read(`${Number.MAX_SAFE_INTEGER}::int8`), Number.MAX_SAFE_INTEGER);
      assert.equal(await read(`${Number.MIN_SAFE_INTEGER}::int8`), Number.MIN_SAFE_INTEGER);
      await assert.rejects(read('9007199254740992::int8'), /int8 beyond 2\^53: 9007199254740992/);
      assert.equal(await read('count(*)'), 1, 'the connection goes on after a refused value');
    });

    for (const zone of ['America/New_York', 'Asia/Tokyo']) {
      it(`reads and writes a date as it is written in ${zone} too`, async (t) => {
        const { TZ } = process.env;
        process.env['TZ'] = zone;
        t.after(() => (TZ === undefined ? delete process.env['TZ'] : (process.env['TZ'] = TZ)));
        for (const day of ['2026-03-08', '1582-10-04', '0044-03-15']) {
          const row = await one(db, sql<{ day: string }>`select ${day}::date as day`);
          assert.equal(row.day, day);
        }
        const at = new Date('2026-11-01T05:30:00.123Z');
        const row = await one(db, sql<{ at: Date }>`select ${at}::timestamptz as at`);
        assert.equal(row.at.toISOString(), at.toISOString());
      });
    }

    it('reads a timestamptz as the instant it is, whatever offset it was written with', async () => {
      const at = (await read("'2026-07-01T12:00:00.456789+05:30'::timestamptz")) as Date;
      assert.equal(at.toISOString(), '2026-07-01T06:30:00.456Z');
    });

    it('hands json on as the text it came in, every digit kept', async () => {
      const text = '{"value": 1.00, "b":1e2,"a" :12345678901234567890.10}';
      assert.equal((await one(db, sql<{ json: string }>`select ${text}::json as json`)).json, text);
      assert.equal(await read(`'{"b":1.00,"a":2}'::jsonb`), '{"a": 2, "b": 1.00}');
    });

    it('carries bytes of every value, none and null', async () => {
      const bytes = Buffer.from(Array.from({ length: 256 }, (_, value) => value));
      const row = await one(
        db,
        sql<Record<string, Buffer | null>>`
        select ${bytes}::bytea as all, ${Buffer.alloc(0)}::bytea as none, ${null}::bytea as absent`,
      );
      assert.deepEqual(row, { all: bytes, none: Buffer.alloc(0), absent: null });
    });

    it('carries arrays of texts with every awkward character, of numbers, of bytes, empty and with nulls', async () => {
      const texts = ['', 'a,b', '"', '\\', '{}', 'NULL', 'Grüße\n', "'", null];
      const row = await one(
        db,
        sql<Record<string, unknown>>`
        select ${texts}::text[] as texts, ${[]}::text[] as empty, ${[1, 2]}::int[] as numbers,
          ${[Buffer.from([0, 255]), null]}::bytea[] as bytes, (${[3, 4]}::bigint[])[2] as bigint`,
      );
      assert.deepEqual(row, {
        texts,
        empty: [],
        numbers: [1, 2],
        bytes: [Buffer.from([0, 255]), null],
        bigint: 4,
      });
    });

    it('carries a parameter and a result of 20 MB', async () => {
      const bytes = Buffer.alloc(20 * 1024 * 1024, 'x');
      bytes.write('end', bytes.length - 3);
      const row = await one(
        db,
        sql<{ bytes: Buffer; length: number }>`
        select given as bytes, length(given) as length from (select ${bytes}::bytea as given) it`,
      );
      assert.equal(row.length, bytes.length);
      assert.ok(row.bytes.equals(bytes));
      const text = 'ä'.repeat(10 * 1024 * 1024);
      assert.ok((await one(db, sql<{ text: string }>`select ${text}::text as text`)).text === text);
    });
  });

  describe(`statements in flight together on ${engine}`, () => {
    let store: TestStore;
    let db: Db;
    before(async () => {
      ({ db } = store = await openTestStore(engine));
      await db.query(sql`create table thing (id int primary key)`);
    });
    after(() => store.remove());

    it('each get their own answer, also when one statement is new and asked many times at once', async () => {
      const rows = await Promise.all(
        Array.from({ length: 200 }, (_, n) => one(db, sql<{ n: number }>`select ${n}::int as n, 'new'`)),
      );
      assert.deepEqual(
        rows.map(({ n }) => n),
        rows.map((_, n) => n),
      );
    });

    it('leave each other alone when one of them fails, whether it is parsed, bound or run', async () => {
      const results = await Promise.allSettled(
        Array.from({ length: 40 }, (_, n) => {
          if (n % 4 === 1) return db.query(sql`select from nowhere`);
          if (n % 4 === 2) return db.query(sql`select ${'no number'}::int`);
          if (n % 4 === 3) return db.query(sql`select 1 / ${0}::int`);
          return db.query(sql`insert into thing values (${n})`);
        }),
      );
      assert.deepEqual(
        results.map(({ status }) => status),
        results.map((_, n) => (n % 4 === 0 ? 'fulfilled' : 'rejected')),
      );
      const { stored } = await one(db, sql<{ stored: number }>`select count(*) as stored from thing`);
      assert.equal(stored, 10);
    });

    it('are refused with the code of the server and the statement can be repeated', async () => {
      for (let again = 0; again < 2; again++) {
        await assert.rejects(db.query(sql`insert into thing values (${0})`), { code: '23505' });
        await assert.rejects(db.query(sql`select from nowhere`), { code: '42P01' });
      }
    });
  });
}
