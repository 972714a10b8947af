import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createEmptyRecord, importBatch } from '../../../test/harness/import-record.ts';
import { ENGINES, openTestStore, type TestStore } from '../../../test/harness/store.ts';
import type { PatientId } from '../../../contract/brands.ts';
import { createAuditLog } from '../../platform/audit/append.ts';
import { systemClock } from '../../platform/kernel/clock.ts';
import { one, type Db } from '../../platform/db/db.ts';
import { PATIENT_TABLES, TABLES_OF_RECORDS } from './delete-patient.sql.ts';
import { createEraseJob, deletePatient } from './delete-patient.ts';

const CONDITIONS = 450;

for (const engine of ENGINES)
  describe(`the record of a patient who is deleted: ${engine}`, () => {
    let store: TestStore;
    before(async () => void (store = await openTestStore(engine)));
    after(() => store.remove());

    const count = async (table: string, patientId: PatientId): Promise<number> => {
      const text = `select count(*) as total from ${table} where patient_id = $1`;
      return (await one<{ total: number }>(store.db, { text, values: [patientId] })).total;
    };

    it('case 359: cannot be reached at once, and is erased some rows at a time, by a job where the process is killed', async () => {
      const { db } = store;
      const [leaving, staying] = [await createEmptyRecord(db), await createEmptyRecord(db)];
      const texts = Array.from({ length: CONDITIONS }, (_, index) =>
        JSON.stringify({ resourceType: 'Condition', id: `c${index}`, code: { text: `Gout ${index}` } }),
      );
      for (const chart of [leaving, staying]) await importBatch(db, chart, texts);
      const { patientId } = leaving;
      const enqueued: string[] = [];
      const jobs = {
        enqueue: async (_: unknown, { kind }: { kind: string }) => void enqueued.push(kind),
        wake() {},
      };
      const audit = createAuditLog({ db, clock: systemClock });
      await db.tx((tx) =>
        deletePatient(tx, { jobs, audit }, { patientId, keepEvidence: false, now: new Date() }),
      );
      // Killed here.
      assert.deepEqual(enqueued, ['patient.erase']);
      for (const table of PATIENT_TABLES)
        if (!TABLES_OF_RECORDS.has(table)) assert.equal(await count(table, patientId), 0, table);
      assert.equal(await count('resource', patientId), CONDITIONS);
      const deleted = new Map<string, number>();
      const counting: Db = {
        ...db,
        async query(statement) {
          const rows = await db.query(statement);
          const [, table = ''] = /^delete from (\w+)/.exec(statement.text) ?? [];
          deleted.set(table, Math.max(deleted.get(table) ?? 0, rows.length));
          return rows;
        },
      };
      await createEraseJob(counting).run({ patientId }, new AbortController().signal);
      for (const table of PATIENT_TABLES) assert.equal(await count(table, patientId), 0, table);
      assert.equal(await count('resource', staying.patientId), CONDITIONS);
      assert.equal(await count('passage', staying.patientId), CONDITIONS);
      if (engine === 'embedded')
        for (const [table, few] of TABLES_OF_RECORDS) assert.ok((deleted.get(table) ?? 0) <= few, table);
      assert.equal(deleted.get('resource'), engine === 'embedded' ? 200 : CONDITIONS);
    });
  });
