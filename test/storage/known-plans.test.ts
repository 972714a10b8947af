import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { PatientId } from '../../contract/brands.ts';
import {
  findCategories,
  findDisplays,
  findExistingIds,
  findResourcesBySourceId,
} from '../../server/clinical/store/resources.sql.ts';
import { findOtherPeriods } from '../../server/clinical/store/clinical-periods.sql.ts';
import type { Db } from '../../server/platform/db/db.ts';
import { raw, sql, type Sql } from '../../server/platform/db/sql.ts';
import { ENGINES, openTestStore, type TestStore } from '../harness/store.ts';

const PATIENTS = Array.from({ length: 3 }, (_, n) => `00000000-0000-4000-8000-00000000000${n}` as PatientId);

for (const engine of ENGINES)
  describe(`plans of a record that statistics do not know, on ${engine}`, () => {
    let store: TestStore;
    let db: Db;
    before(async () => void ({ db } = store = await openTestStore(engine, { isNew: true })));
    after(() => store.remove());

    const fill = (patientId: PatientId | undefined) =>
      db.query(sql`
        insert into resource (patient_id, seq, resource_type, fhir_id, origin, source_id, category, body, source_hash,
          document_path, last_updated, first_batch_id, last_batch_id)
        select ${patientId}::uuid, n, 'Condition', right(${patientId}, 1) || n, '', 's' || n, 'CONDITIONS', '{}', '', '', now(),
          ${patientId}::uuid, ${patientId}::uuid
        from generate_series(1, 2000) n`);
    const explain = async ({ text, values }: Sql): Promise<string> =>
      JSON.stringify(
        await db.tx((tx) => tx.query({ text: `explain (analyze, timing off) ${text}`, values })),
      );

    for (const [index, when] of ['who came after them', 'in a table that was almost empty'].entries())
      it(`look each resource up by its key, ${when} (case 354)`, async () => {
        if (index === 0) await fill(PATIENTS[0]);
        else await db.query(sql`delete from resource where seq < 2000 or patient_id = ${PATIENTS[0]}`);
        await db.query(raw(index === 0 ? 'analyze resource' : 'vacuum analyze resource'));
        const patientId = PATIENTS[index + 1] as PatientId;
        await fill(patientId);
        const numbers = Array.from({ length: 20 }, (_, n) => n * 50 + 1);
        const references = numbers.map((n) => ({ type: 'Condition', id: `${index + 1}${n}` }));
        for (const statement of [
          findResourcesBySourceId(
            patientId,
            numbers.map((n) => `s${n}`),
          ),
          findExistingIds(patientId, references),
          findCategories(patientId, references),
          findDisplays(patientId, references),
        ]) {
          const plan = await explain(statement);
          assert.doesNotMatch(plan, /Rows Removed/, plan);
          assert.match(plan, /actual rows=1(\.00)? loops=20/, plan);
        }
      });

    it('case 358: read a page of resources, not the record, when its periods are compared', async () => {
      const rows = Array.from({ length: 20 }, (_, n) => ({
        seq: n + 100,
        period: { first: '-infinity', last: 'infinity' },
      }));
      const plan = await explain(findOtherPeriods(PATIENTS[2] as PatientId, rows));
      assert.match(
        plan,
        /Index Scan using resource_pkey on resource [^"]*actual rows=1(\.00)? loops=20/,
        plan,
      );
      assert.doesNotMatch(plan, /actual rows=2000|Rows Removed by Filter: [2-9]\d\d/, plan);
    });
  });
