import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { raw, sql } from '../../../platform/db/sql.ts';
import { systemClock } from '../../../platform/kernel/clock.ts';
import { createEmptyRecord, importBatch } from '../../../../test/harness/import-record.ts';
import { openTestStore } from '../../../../test/harness/store.ts';
import { getVocabulary } from '../../../../test/harness/vocabulary.ts';
import { reindexAll } from './reindex.ts';

const { db, remove } = await openTestStore();
after(() => remove());

it('rebuilds every record but one that cannot be, which stays as it is and is named with the kind of the error', async () => {
  const charts = [];
  for (const name of ['Asthma', 'Gout', 'Eczema']) {
    const chart = await createEmptyRecord(db);
    const condition = { resourceType: 'Condition', id: 'c', subject: { reference: 'Patient/p' } };
    await importBatch(db, chart, [JSON.stringify({ ...condition, code: { text: name } })]);
    charts.push(chart);
  }
  charts.sort((one, other) => (one.patientId < other.patientId ? -1 : 1));
  const [, failing] = charts;
  assert.ok(failing);
  await db.query(sql`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception '%', new.title; end $$`);
  await db.query(sql`
    create trigger refuse before insert on clinical_entry for each row when (new.patient_id = ${raw(`'${failing.patientId}'`)})
    execute function refuse()`);
  await db.query(sql`update clinical_entry set title = 'Before'`);
  const reindex = (): ReturnType<typeof reindexAll> =>
    reindexAll({ db, clock: systemClock, extractText: async () => null, getVocabulary });

  assert.deepEqual(await reindex(), {
    records: 2,
    failed: 1,
    failures: [{ patientId: failing.patientId, error: 'error P0001' }],
  });
  const titles = await db.query(
    sql<{ patient_id: string; title: string }>`select patient_id, title from clinical_entry`,
  );
  for (const { patient_id: patientId, title } of titles)
    assert.equal(title === 'Before', patientId === failing.patientId);

  await db.query(sql`drop trigger refuse on clinical_entry`);
  assert.deepEqual(await reindex(), { records: 3, failed: 0, failures: [] });
});
