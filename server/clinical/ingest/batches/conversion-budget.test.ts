import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { BatchId, PatientId } from '../../../../contract/brands.ts';
import { DocumentError } from '../../../../documents/converter.ts';
import { createDocumentProcessPool } from '../../../../documents/sandbox/document-process-pool.ts';
import { createArchive } from '../../../../test/harness/archive.ts';
import { createTestClock } from '../../../../test/harness/clock.ts';
import { withoutObjectStore } from '../../../../test/harness/no-objects.ts';
import { openTestStore, type TestStore } from '../../../../test/harness/store.ts';
import { getVocabulary } from '../../../../test/harness/vocabulary.ts';
import { generateId } from '../../../platform/kernel/ids.ts';
import { insertRecordHeads } from '../../store/records.sql.ts';
import {
  createConversionBudget,
  CONVERSION_LIMITS,
  type ConversionBudget,
  type ConversionLimits,
} from './conversion-budget.ts';
import { enqueueBatch } from './enqueue-batch.ts';
import { processUpload } from './process-upload.ts';
import { readAgain } from './read-again.ts';
import { selectBatch, selectRejections } from './uploads.sql.ts';

const FAILING = new URL('../../../../test/harness/failing-converters.ts', import.meta.url);
const LIMITS: ConversionLimits = { archiveMs: 1_000, patientMs: 2_500, windowMs: 3_600_000, deaths: 3 };

let store: TestStore;
const clock = createTestClock();
before(async () => void (store = await openTestStore()));
after(() => store.remove());

async function newPatient(): Promise<PatientId> {
  const patientId = generateId<PatientId>();
  await store.db.query(insertRecordHeads([patientId]));
  return patientId;
}

describe('the time for converting the documents of an archive', () => {
  let time = 0;
  const never = new AbortController().signal;
  const open = (patientId: PatientId, signal = never): Promise<ConversionBudget> =>
    createConversionBudget(
      { db: store.db, clock, readMs: () => time },
      { patientId, signal, limits: LIMITS },
    );
  /** Converts documents that take so many milliseconds; returns what each was permitted to take, or its refusal. */
  async function convert(budget: ConversionBudget, ...durations: number[]): Promise<unknown[]> {
    const outcomes: unknown[] = [];
    for (const ms of durations)
      outcomes.push(
        await budget
          .spend(async ({ maxMs }) => {
            time += ms;
            return maxMs;
          })
          .catch((error: DocumentError) => error.code),
      );
    await budget.save();
    return outcomes;
  }
  const NOT_READ = 'not_read_in_time';

  it('case 194: ends, and leaves the other documents unread', async () => {
    const budget = await open(await newPatient());
    assert.deepEqual(await convert(budget, 300, 600, 150, 1), [1_000, 700, 100, NOT_READ]);
  });

  it('is that of all archives of the patient within an hour, on every node', async () => {
    const patientId = await newPatient();
    await convert(await open(patientId), 900);
    await convert(await open(patientId), 900);
    assert.deepEqual(await convert(await open(patientId), 600, 200, 1), [700, 100, NOT_READ]);
    assert.deepEqual(await convert(await open(patientId), 1), [NOT_READ]);
    assert.deepEqual(
      await convert(await open(await newPatient()), 1),
      [1_000],
      "another patient's is untouched",
    );
    clock.advance(LIMITS.windowMs + 1);
    assert.deepEqual(await convert(await open(patientId), 1), [1_000]);
  });

  it('says of a document that it was not read in time when what was left was too little for it', async () => {
    const budget = await open(await newPatient());
    const tooLong = budget.spend(async ({ maxMs = 0 }) => {
      time += maxMs;
      throw new DocumentError('document_too_complex', 'Reading the document takes too long.');
    });
    await assert.rejects(tooLong, { code: NOT_READ });
  });

  it('is interrupted at the end of the turn, when another document is to be converted', async () => {
    const patientId = await newPatient();
    const options = { patientId, signal: never, limits: LIMITS, turnMs: 500 };
    const budget = await createConversionBudget({ db: store.db, clock, readMs: () => time }, options);
    assert.deepEqual(await convert(budget, 400, 150), [1_000, 600]);
    await assert.rejects(
      budget.spend(async () => 1),
      { name: 'Reschedule' },
    );
  });

  it('ends with the third document over which its process died', async () => {
    const budget = await open(await newPatient());
    const die = (): Promise<never> =>
      budget.spend(async ({ onDeath }) => {
        onDeath?.();
        throw new DocumentError('document_unreadable', 'The document could not be read.');
      });
    for (let death = 1; death <= 3; death++) await assert.rejects(die(), { code: 'document_unreadable' });
    await assert.rejects(die(), { code: NOT_READ });
  });

  it('is not begun when the service stops', async () => {
    const budget = await open(await newPatient(), AbortSignal.abort(new Error('stopping')));
    await assert.rejects(
      convert(budget, 1).then(() => budget.spend(async () => 1)),
      /stopping/,
    );
  });
});

describe('case 194: an archive of documents that kill their reader', () => {
  const documents = createDocumentProcessPool({ modules: FAILING });
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'chartgate-test-'));
  after(async () => {
    await documents.close();
    fs.rmSync(folder, { recursive: true });
  });
  const enqueueDeps = (): Parameters<typeof enqueueBatch>[0] => ({
    db: store.db,
    clock,
    objects: withoutObjectStore(store.db),
    jobs: { enqueue: async () => {} },
  });
  async function read(patientId: PatientId, batchId: BatchId, deaths = 3): Promise<string[]> {
    const conversionLimits = { ...CONVERSION_LIMITS, deaths };
    const quotaBytes = Number.MAX_SAFE_INTEGER;
    const deps = {
      db: store.db,
      clock,
      objects: withoutObjectStore(store.db),
      documents,
      conversionLimits,
      quotaBytes,
      getVocabulary,
      emitUpdate: async () => {},
    };
    await processUpload(deps, { patientId, batchId }, new AbortController().signal);
    const [batch] = await store.db.query(selectBatch(patientId, batchId));
    const rejected = await store.db.query(selectRejections(patientId, batchId));
    return [batch?.status ?? 'none', ...rejected.map(({ path: member, code }) => `${member} ${code}`)];
  }

  it('costs three of them; the others are kept, and are read when that is asked for', async () => {
    const patientId = await newPatient();
    const file = path.join(folder, 'archive.zip');
    const deadly = { 'a.txt': 'exit', 'b.txt': 'exit', 'c.txt': 'exit' };
    fs.writeFileSync(file, await createArchive({ ...deadly, 'd.txt': 'a letter', 'sub/e.txt': 'another' }));
    const batchId = await enqueueBatch(enqueueDeps(), { patientId, file, source: null });
    assert.deepEqual(await read(patientId, batchId), [
      'completed_with_errors',
      ...['a', 'b', 'c'].map((name) => `${name}.txt document_unreadable`),
      'd.txt not_read_in_time',
      'sub/e.txt not_read_in_time',
    ]);
    const again = await readAgain(enqueueDeps(), { patientId, batchId });
    assert.deepEqual(await read(patientId, again), ['completed']);
    await assert.rejects(readAgain(enqueueDeps(), { patientId, batchId: again }), { code: 'nothing_unread' });
    await assert.rejects(readAgain(enqueueDeps(), { patientId, batchId: generateId<BatchId>() }), {
      status: 404,
    });
  });
});
