import assert from 'node:assert/strict';
import { Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import pg from 'pg';
import { ENGINES, openTestStore, type TestStore } from '../../../test/harness/store.ts';
import { readRowBytes } from './row-bytes.ts';
import { sql, type Sql } from './sql.ts';

const ATTACKS = [
  "'; drop table resource; --",
  "\\'; drop table resource; --",
  '\\',
  "\\\\'",
  "E'\\x27'",
  '$1 $2 ${3}',
  '$$ $tag$ body $tag$',
  '-- comment\n/* comment */',
  "a''b'''c",
  '\u2019 \u02bc \uff07',
  '\r\n\t\b\u0001',
  '🩺 漢字 é',
  "') to stdout; copy (select 1",
];

for (const engine of ENGINES) {
  describe(`the bytes of a row on ${engine}`, () => {
    let store: TestStore;
    before(async () => void (store = await openTestStore(engine)));
    after(() => store.remove());

    const text = async (statement: Sql): Promise<string[]> => {
      const row = await store.db.queryRowBytes(statement);
      return [...(row?.fields ?? []), row?.text].map((field) => field?.toString() ?? 'null');
    };

    it('keeps the text of a value, whatever characters it holds', async () => {
      for (const value of ATTACKS) assert.deepEqual(await text(sql`select ${value}::text`), [value]);
      const texts = fc.array(
        fc.string({ unit: 'grapheme' }).map((value) => value.replaceAll('\0', '')),
        { minLength: 1 },
      );
      await fc.assert(
        fc.asyncProperty(texts, async (values) => {
          const count = String(values.length);
          assert.deepEqual(
            await text(
              sql`select array_to_string(${values}::text[], '|'), cardinality(${values}::text[])::text, ${values[0]}::text`,
            ),
            [values.join('|'), count, values[0]],
          );
        }),
        { numRuns: 40 },
      );
    });

    it('selects the same as with bound values', async () => {
      const value = fc.record({
        number: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
        place: fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
        at: fc.date({ min: new Date('0001-01-02'), max: new Date('9999-12-30'), noInvalidDate: true }),
        yes: fc.boolean(),
        nothing: fc.constant(null),
        none: fc.constant([]),
      });
      await fc.assert(
        fc.asyncProperty(value, async ({ number, place, at, yes, nothing, none }) => {
          const statement = sql<Record<string, string>>`
            select (${number}::integer)::text as a, (0-${number}::bigint)::text as b, (${place}::bigint)::text as c,
              (extract(epoch from ${at}::timestamptz) * 1000)::bigint::text as d, (${yes}::boolean)::text as e,
              coalesce(${nothing}::text, 'nothing') as f, cardinality(${none}::text[])::text as g`;
          const [row] = await store.db.query(statement);
          assert.deepEqual(await text(statement), Object.values(row ?? {}));
          assert.deepEqual(Object.values(row ?? {})[3], String(at.getTime()));
        }),
        { numRuns: 40 },
      );
    });

    it('reads no row, null, or the bytes of a text, of whatever length', async () => {
      assert.equal(await store.db.queryRowBytes(sql`select ''::text where false`), null);
      const row = await store.db.queryRowBytes(sql`select null::text, ''::text, 'x'::text, null::text`);
      assert.deepEqual(
        [row?.fields, row?.text],
        [[null, Buffer.alloc(0), Buffer.from('x')], Buffer.alloc(0)],
      );
      for (const length of [0, 1, 15, 16, 17, 8_170, 65_536, 5_000_000]) {
        const row = await store.db.queryRowBytes(sql`select 1, repeat('é', ${length}::integer)`);
        assert.equal(row?.text.toString(), 'é'.repeat(length));
      }
    });

    it('reads into memory that was released, and leaves alone what was not', async () => {
      const read = async (letter: string) => {
        const row = await store.db.queryRowBytes(sql`select repeat(${letter}, 300000)`);
        assert.ok(row);
        return row;
      };
      const [kept, released] = await Promise.all([read('k'), read('r')]);
      released.release();
      const rows = await Promise.all([read('a'), read('b'), read('c')]);
      assert.ok(rows.some(({ text }) => text.buffer === released.text.buffer));
      assert.deepEqual(
        [kept, ...rows].map(({ text }) => text.toString()),
        ['k', 'a', 'b', 'c'].map((letter) => letter.repeat(300_000)),
      );
    });

    it('prepares a statement once, and executes it with other values', async () => {
      for (const value of ['a', 'b', 'c'])
        assert.deepEqual(await text(sql`select 'prepared', ${value}`), ['prepared', value]);
      const prepared = sql`select count(*)::text from pg_prepared_statements where statement = ${"select 'prepared', $1"}`;
      assert.deepEqual(await text(prepared), ['1']);
    });

    it('reads many rows at once, beside transactions on the same connections', async () => {
      await Promise.all(
        Array.from({ length: 60 }, async (_, index) => {
          const length = index * 3_001;
          assert.deepEqual(await text(sql`select ${String(index)}, repeat('é', ${length}::integer)`), [
            String(index),
            'é'.repeat(length),
          ]);
          const counted = store.db.tx((tx) => tx.query<{ n: number }>(sql`select ${index}::integer as n`));
          assert.deepEqual(await counted, [{ n: index }]);
        }),
      );
    });

    it('keeps the connection usable after a wrong statement', async () => {
      for (let round = 0; round < 12; round++) {
        await assert.rejects(store.db.queryRowBytes(sql`select 1 / ${0}::integer`));
        await assert.rejects(store.db.queryRowBytes(sql`select no_such_column`));
      }
      assert.deepEqual(await text(sql`select 'still here'::text`), ['still here']);
    });
  });
}

/** A connection whose bytes arrive in pieces, in the middle of any message. */
class PiecewiseSocket extends Socket {
  override emit(event: string | symbol, ...args: unknown[]): boolean {
    const [bytes] = args;
    if (event !== 'data' || !Buffer.isBuffer(bytes)) return super.emit(event, ...args);
    for (let start = 0, length = 1; start < bytes.length; start += length, length = (length % 7) + 1)
      super.emit('data', bytes.subarray(start, start + length));
    return true;
  }
}

describe('a row that arrives in pieces', () => {
  it('is read whole, as are the answers before and after it', async () => {
    const store = await openTestStore('postgresql');
    const client = new pg.Client({
      connectionString: store.databaseUrl,
      stream: () => new PiecewiseSocket(),
    });
    await client.connect();
    for (let length = 0; length < 40; length++) {
      const statement = { name: 'piecewise', text: "select 7, null::text, repeat('é', $1::integer)" };
      const [row, other] = await Promise.all([
        readRowBytes(client, { ...statement, values: [length] }),
        client.query<{ n: number }>('select 1 as n'),
      ]);
      assert.equal(row?.fields[0]?.readInt32BE(), 7);
      assert.equal(row?.fields[1], null);
      assert.equal(row?.text.toString(), 'é'.repeat(length));
      assert.deepEqual(other.rows, [{ n: 1 }]);
    }
    await assert.rejects(readRowBytes(client, { text: 'select 1 / $1::integer', values: [0] }));
    assert.equal((await readRowBytes(client, { text: "select 'x'" }))?.text.toString(), 'x');
    await client.end();
    await store.remove();
  });
});

/** A connection to a server that takes its time between one message and the next. */
class SlowSocket extends Socket {
  #last = Promise.resolve();

  override emit(event: string | symbol, ...args: unknown[]): boolean {
    const [bytes] = args;
    if (event !== 'data' || !Buffer.isBuffer(bytes)) return super.emit(event, ...args);
    for (let start = 0, end = 0; start < bytes.length; start = end) {
      end = start + 1 + bytes.readInt32BE(start + 1);
      const message = bytes.subarray(start, end);
      this.#last = this.#last.then(setImmediate).then(() => void super.emit('data', message));
    }
    return true;
  }
}

describe('a row after a wrong statement', () => {
  it('is read, however late the server says that it is ready again', async () => {
    const store = await openTestStore('postgresql');
    const config = { connectionString: store.databaseUrl, stream: () => new SlowSocket() };
    const client = new pg.Client({ ...config, pipeline: true });
    await client.connect();
    for (const wrong of ['select no_such_column', 'select 1 / $1::integer']) {
      const values = wrong.includes('$1') ? [0] : [];
      await assert.rejects(readRowBytes(client, { name: wrong, text: wrong, values }));
      const row = await readRowBytes(client, { name: 'right', text: "select 'still here'::text" });
      assert.equal(row?.text.toString(), 'still here');
    }
    await client.end();
    await store.remove();
  });

  it('is not waited for on a connection that the error ends', async () => {
    const store = await openTestStore('postgresql');
    const client = new pg.Client({ connectionString: store.databaseUrl });
    client.on('error', () => {});
    await client.connect();
    const ended = readRowBytes(client, { text: 'select pg_terminate_backend(pg_backend_pid())' });
    await assert.rejects(ended, { code: '57P01' });
    await store.remove();
  });
});
