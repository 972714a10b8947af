import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { PatientId } from '../../contract/brands.ts';
import {
  findCategories,
  findDisplays,
  findExistingIds,
  findResourcesBySourceId,
} from '../../server/clinical/store/resources.sql.ts';
import type { Db } from '../../server/platform/db/db.ts';
import { raw, sql, type Sql } from '../../server/platform/db/sql.ts';
import { ENGINES, openTestStore, type TestStore } from '../harness/store.ts';

const [known, unknown] = [
  '00000000-0000-4000-8000-000000000001',
  '00000000-0000-4000-8000-000000000002',
] as const;

for (const engine of ENGINES)
  describe(`plans for a record that statistics do not know, on ${engine}`, () => {
    let store: TestStore;
    let db: Db;
    before(async () => {
      ({ db } = store = await openTestStore(engine));
      const fill = (patientId: string, prefix: string) => sql`
        insert into resource (patient_id, seq, resource_type, fhir_id, origin, source_id, category, body, source_hash,
          document_path, last_updated, first_batch_id, last_batch_id)
        select ${patientId}::uuid, n, 'Condition', ${prefix} || n, '', ${prefix} || n, 'CONDITIONS', '{}', '', '', now(), ${known}::uuid, ${known}::uuid
        from generate_series(1, 2000) n`;
      await db.query(fill(known, 'k'));
      await db.query(raw('analyze resource'));
      await db.query(fill(unknown, 'u'));
    });
    after(() => store.remove());

    const explain = async ({ text, values }: Sql): Promise<string> =>
      JSON.stringify(
        await db.tx((tx) => tx.query({ text: `explain (analyze, timing off) ${text}`, values } as Sql)),
      );
    const ids = Array.from({ length: 20 }, (_, n) => `u${n * 50}`);
    const references = ids.map((id) => ({ type: 'Condition', id }));

    for (const [name, statement] of Object.entries({
      findResourcesBySourceId: findResourcesBySourceId(unknown as PatientId, ids),
      findExistingIds: findExistingIds(unknown as PatientId, references),
      findCategories: findCategories(unknown as PatientId, references),
      findDisplays: findDisplays(unknown as PatientId, references),
    }))
      it(`${name} looks each up (case 354)`, async () => {
        const plan = await explain(statement);
        assert.doesNotMatch(plan, /Rows Removed/, plan);
      });
  });
