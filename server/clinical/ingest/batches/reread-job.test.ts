import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createEmptyRecord, importBatch } from '../../../../test/harness/import-record.ts';
import { ROOT } from '../../../../test/harness/process.ts';
import { openTestStore, type TestStore } from '../../../../test/harness/store.ts';
import { getVocabulary } from '../../../../test/harness/vocabulary.ts';
import { one } from '../../../platform/db/db.ts';
import { sql } from '../../../platform/db/sql.ts';
import { Reschedule } from '../../../platform/jobs/job-kind.ts';
import { systemClock } from '../../../platform/kernel/clock.ts';
import { READING_VERSION } from '../../store/reading-version.ts';
import { countRecordsReadBefore } from '../../store/records.sql.ts';
import { rebuildEntries } from '../import/rebuild-entries.ts';
import type { RelabelJob } from './relabel-job.ts';
import { createRereadJob } from './reread-job.ts';

const condition = (id: string): string =>
  JSON.stringify({ resourceType: 'Condition', id, code: { text: 'Gout' } });

const HOUR_MS = 3_600_000;

describe('records that earlier rules have read', () => {
  let store: TestStore;
  before(async () => void (store = await openTestStore('postgresql', { isNew: true })));
  after(() => store.remove());

  const count = async (): Promise<number> =>
    (await one(store.db, countRecordsReadBefore(READING_VERSION))).count;

  it('are read anew one after another; one that fails holds up no other, and comes again in an hour', async () => {
    const { db } = store;
    const charts = [await createEmptyRecord(db), await createEmptyRecord(db), await createEmptyRecord(db)];
    for (const chart of charts) await importBatch(db, chart, [condition('a')]);
    assert.equal(await count(), 0, 'what was empty is of the rules of whoever writes into it');
    await db.query(sql`update record_head set read_version = null`);
    await importBatch(db, charts[0] as (typeof charts)[0], [condition('b')]);
    assert.equal(await count(), 3, 'a further upload is read, and not what was there');
    const failing = charts.map(({ patientId }) => patientId).sort()[1];
    const errors: unknown[] = [];
    const run = async ({ payload: { patientId } }: { payload: RelabelJob }): Promise<void> => {
      if (patientId === failing && errors.length === 0) throw new Error('too large');
      await rebuildEntries(
        { db, clock: systemClock, getVocabulary, extractText: async () => null },
        { patientId, batchId: null },
      );
    };
    const job = createRereadJob({ db, threads: { run }, onError: (error) => errors.push(error) });
    const turn = async (): Promise<number> => {
      const error: unknown = await job.run({}, new AbortController().signal).catch((thrown) => thrown);
      assert.ok(error instanceof Reschedule, String(error));
      return error.ms;
    };
    assert.equal(await job.hasWork?.(db), true);
    for (let turns = 0; turns < charts.length; turns++) assert.ok((await turn()) < HOUR_MS);
    assert.deepEqual([await count(), errors.length], [1, 1]);
    assert.equal(await turn(), HOUR_MS);
    assert.ok((await turn()) < HOUR_MS);
    assert.equal(await count(), 0);
    assert.equal(await job.hasWork?.(db), false);
    assert.equal(await turn(), HOUR_MS);
  });

  it('are all that an older program reads into, or reads as a whole', async () => {
    const { db } = store;
    const chart = await createEmptyRecord(db);
    await importBatch(db, chart, [condition('a')]);
    await db.query(sql`update record_head set read_version = ${READING_VERSION + 1}`);
    await importBatch(db, chart, [condition('b')]);
    const { found } = await one(
      db,
      sql<{
        found: number;
      }>`select read_version as found from record_head where patient_id = ${chart.patientId}`,
    );
    assert.equal(found, READING_VERSION);
  });
});

it('the number of the rules of reading is that of the lines of the changelog that ask for it', () => {
  const lines = fs.readFileSync(path.join(ROOT, 'CHANGELOG.md'), 'utf8').split('\n');
  const asking = lines.filter((line) =>
    /\brun `(npx )?chartgate reindex`|\brecords are read anew\b/i.test(line),
  );
  assert.equal(asking.length, READING_VERSION, 'server/clinical/store/reading-version.ts says why');
});
