import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createEmptyRecord, importBatch } from '../../../../test/harness/import-record.ts';
import { openTestStore, type TestStore } from '../../../../test/harness/store.ts';
import { getVocabulary } from '../../../../test/harness/vocabulary.ts';
import { createAuditLog } from '../../../platform/audit/append.ts';
import type { Db } from '../../../platform/db/db.ts';
import { sql } from '../../../platform/db/sql.ts';
import { rebuildEntries } from '../import/rebuild-entries.ts';
import { createRemovalJob, REMOVAL_JOB } from './removal-job.ts';
import { removeBatch } from './remove-batch.ts';

const PDF = Buffer.from('%PDF-1.7').toString('base64');
const letter = JSON.stringify({
  resourceType: 'DocumentReference',
  id: 'letter',
  content: [{ attachment: { contentType: 'application/pdf', data: PDF } }],
});
const wrong = JSON.stringify({ resourceType: 'Condition', id: 'wrong', code: { text: 'Scurvy' } });

describe('a rebuild of a record', () => {
  let store: TestStore;
  before(async () => void (store = await openTestStore('postgresql')));
  after(() => store.remove());

  it('brings nothing back of a batch that is taken out meanwhile', async () => {
    const { db } = store;
    const chart = await createEmptyRecord(db);
    const { patientId } = chart;
    await importBatch(db, chart, [letter]);
    const batchId = await importBatch(db, chart, [wrong]);
    await db.query(sql`
      insert into upload_batch (patient_id, batch_id, status, received_at, position)
      values (${patientId}, ${batchId}, 'completed', now(), 1)`);
    const listTitles = async (): Promise<string[]> =>
      (
        await db.query(
          sql<{ title: string }>`select title from clinical_entry where patient_id = ${patientId}`,
        )
      ).map(({ title }) => title);
    const isHiding = async (): Promise<boolean> =>
      (
        await db.query(
          sql`select from record_head where patient_id = ${patientId} and hidden_since is not null`,
        )
      ).length > 0;
    assert.ok((await listTitles()).includes('Scurvy'));
    assert.equal(await isHiding(), false);
    let removals = 0;
    // Called when the page that holds both has been read, and not yet written.
    const extractText = async (): Promise<null> => {
      if (removals++ === 0)
        await removeBatch(
          {
            db,
            clock: chart.deps.clock,
            audit: createAuditLog({ db, clock: chart.deps.clock }),
            jobs: { enqueue: async () => {} },
            emitUpdate: async () => {},
          },
          { patientId, batchId },
        );
      assert.equal(await isHiding(), true);
      return null;
    };
    await rebuildEntries(
      { db, clock: chart.deps.clock, extractText, getVocabulary },
      { patientId, batchId: null },
    );
    assert.ok(removals > 0);
    assert.equal(await isHiding(), false);
    assert.equal((await listTitles()).length, 1);
    assert.ok(!(await listTitles()).includes('Scurvy'));
  });

  it('case 359: takes a large upload out a part at a time, and a job ends what a killed process began', async () => {
    const { db } = store;
    const chart = await createEmptyRecord(db);
    const { patientId } = chart;
    await importBatch(db, chart, [letter]);
    const texts = Array.from({ length: 450 }, (_, index) =>
      JSON.stringify({ resourceType: 'Condition', id: `c${index}`, code: { text: `Gout ${index}` } }),
    );
    const batchId = await importBatch(db, chart, texts);
    await db.query(sql`
      insert into upload_batch (patient_id, batch_id, status, received_at, position)
      values (${patientId}, ${batchId}, 'completed', now(), 1)`);
    const countLeft = async (): Promise<number> =>
      (await db.query(sql`select from resource where patient_id = ${patientId}`)).length;
    const left: number[] = [];
    const dying: Db = {
      ...db,
      async tx(work, options) {
        if (left.at(-1) === 251) throw new Error('killed');
        const result = await db.tx(work, options);
        left.push(await countLeft());
        return result;
      },
    };
    const enqueued: unknown[] = [];
    const announced: unknown[] = [];
    const deps = {
      clock: chart.deps.clock,
      audit: createAuditLog({ db, clock: chart.deps.clock }),
      jobs: {
        enqueue: async (_: unknown, { kind }: { kind: string }) => void enqueued.push(kind),
        wake() {},
      },
      emitUpdate: async (_: unknown, { changes }: { changes: readonly unknown[] }) =>
        void announced.push(changes.length),
    };
    await assert.rejects(removeBatch({ ...deps, db: dying }, { patientId, batchId }), /killed/);
    assert.deepEqual(left, [451, 251]);
    assert.deepEqual([enqueued, announced], [[REMOVAL_JOB], []]);
    const job = createRemovalJob((removal) => removeBatch({ ...deps, db }, removal));
    await job.run({ patientId, batchId }, new AbortController().signal);
    assert.equal(await countLeft(), 1);
    assert.deepEqual(announced, [1], 'of what went before, too');
    // Once more: somebody else has ended it.
    await job.run({ patientId, batchId }, new AbortController().signal);
    assert.equal(announced.length, 1);
  });
});
