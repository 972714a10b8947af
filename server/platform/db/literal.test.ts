import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { ENGINES, openTestStore, type TestStore } from '../../../test/harness/store.ts';
import { inlineValues } from './literal.ts';
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
  describe(`inlined values on ${engine}`, () => {
    let store: TestStore;
    before(async () => void (store = await openTestStore(engine)));
    after(() => store.remove());

    const text = async (statement: Sql): Promise<string[]> => {
      const row = await store.db.copyRow(statement);
      const last = Buffer.concat(row?.text ?? []);
      return [...(row?.fields ?? []), last].map((field) => field?.toString() ?? 'null');
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

    it('copies no row, null, or the bytes of a text, in chunks of which the first is long enough', async () => {
      assert.equal(await store.db.copyRow(sql`select ''::text where false`), null);
      assert.deepEqual(await store.db.copyRow(sql`select null::text, ''::text, 'x'::text, null::text`), {
        fields: [null, Buffer.alloc(0), Buffer.from('x')],
        text: [],
      });
      for (const length of [0, 1, 15, 16, 17, 8_170, 65_536, 5_000_000]) {
        const { text: pieces } = (await store.db.copyRow(sql`select 1, repeat('é', ${length}::integer)`)) ?? {
          text: [],
        };
        assert.equal(Buffer.concat(pieces).toString(), 'é'.repeat(length));
        assert.ok((pieces[0]?.length ?? 0) >= Math.min(16, length * 2), 'its beginning can be cut off');
      }
    });

    it('keeps the connection usable after a wrong statement', async () => {
      for (let round = 0; round < 12; round++) {
        await assert.rejects(store.db.copyRow(sql`select 1 / ${0}::integer`));
        await assert.rejects(store.db.copyRow(sql`select no_such_column`));
      }
      assert.deepEqual(await text(sql`select 'still here'::text`), ['still here']);
    });
  });
}

describe('a value of a type without a literal', () => {
  it('throws instead of guessing a literal', () => {
    for (const value of [
      Number.NaN,
      Infinity,
      {},
      Symbol('x'),
      () => 1,
      Buffer.from('x'),
      new Date(Number.NaN),
    ])
      assert.throws(() => inlineValues(sql`select ${value}`));
  });
});
