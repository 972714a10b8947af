import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Chart } from '../../../../test/harness/chart.ts';
import { createEmptyRecord, importBatch } from '../../../../test/harness/import-record.ts';
import { getVocabulary } from '../../../../test/harness/vocabulary.ts';
import { openTestStore, type TestStore } from '../../../../test/harness/store.ts';
import { one, type Db, type Tx } from '../../../platform/db/db.ts';
import { sql } from '../../../platform/db/sql.ts';
import { lockRecord } from '../../store/resources.sql.ts';
import { finishRebuild, type RecordHead } from './finish-rebuild.ts';

const condition = (id: string): string =>
  JSON.stringify({ resourceType: 'Condition', id, code: { text: 'Gout' }, onsetDateTime: '2020-02-03' });

describe('what is computed of a whole record (case 358)', () => {
  let store: TestStore;
  let chart: Chart;
  before(async () => {
    store = await openTestStore('postgresql');
    chart = await createEmptyRecord(store.db);
    await importBatch(store.db, chart, [condition('a'), condition('b')], { getPath: (id) => `${id}.json` });
  });
  after(() => store.remove());

  const selectLinks = () =>
    store.db.query(sql`
      select reference, matches, superseded_by from clinical_entry where patient_id = ${chart.patientId} order by seq`);

  const lock = async (tx: Tx): Promise<RecordHead> => {
    const head = await one(tx, lockRecord(chart.patientId));
    return { ...head, next_seq: 25_000 };
  };

  /** Others do something before each of the transactions, whose statements are counted. */
  async function finish(meanwhile: (transaction: number) => Promise<unknown>): Promise<number[]> {
    const statements: number[] = [];
    const db: Db = {
      ...store.db,
      engine: 'embedded',
      async tx(work, options) {
        await meanwhile(statements.push(0));
        const count = (tx: Tx): Tx => ({
          ...tx,
          query: (statement) => {
            statements.push((statements.pop() ?? 0) + 1);
            return tx.query(statement);
          },
        });
        return store.db.tx((tx) => work(count(tx)), options);
      },
    };
    await finishRebuild({ db, getVocabulary }, chart.patientId, lock);
    return statements;
  }

  for (const [name, writesBefore, most] of [
    ['takes a transaction for each statement of a large record on the embedded engine', [], 4],
    ['begins anew where somebody wrote between two of them', [5], 4],
    ['is done at once where somebody always does', Array.from({ length: 100 }, (_, index) => index), 40],
  ] as const)
    it(name, async () => {
      const { db } = store;
      const expected = await selectLinks();
      assert.match(JSON.stringify(expected), /same|better/);
      await db.query(sql`
        update clinical_entry set matches = null, superseded_by = null where patient_id = ${chart.patientId}`);
      await db.query(sql`delete from record_holding where patient_id = ${chart.patientId}`);
      const others = new Set<number>(writesBefore);
      const statements = await finish(
        async (transaction) => others.has(transaction) && db.query(lockRecord(chart.patientId)),
      );
      assert.deepEqual(await selectLinks(), expected);
      assert.ok(Math.max(...statements) <= most, statements.join());
      assert.ok(statements.length > 5, statements.join());
      const held = await one(
        db,
        sql<{
          entries: number;
        }>`select sum(entries)::integer as entries from record_holding where patient_id = ${chart.patientId}`,
      );
      assert.equal(held.entries, 2);
    });
});
