import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTestStore, type TestStore } from '../test/harness/store.ts';
import { sql } from './platform/db/sql.ts';
import { createRecurringJob } from './platform/jobs/recurring-job.ts';
import type { Platform } from './platform/platform.ts';
import { createServiceWorker } from './worker.ts';

const HOUR_MS = 3_600_000;

describe('what recurs', () => {
  let store: TestStore;
  before(async () => void (store = await openTestStore('embedded')));
  after(() => store.remove());

  it('keeps its turn when a service starts, unless it has work that waits for none', async () => {
    const { db } = store;
    const now = new Date();
    let isBusy = false;
    const job = (kind: string) => createRecurringJob(kind, HOUR_MS, async () => {});
    const busy = { ...job('busy'), hasWork: async () => isBusy };
    const platform = { db, clock: { now: () => now }, secrets: { isKeyed: false }, onJobError: assert.fail };
    const worker = createServiceWorker(
      platform as unknown as Platform,
      [{ recurringJobs: [job('plain'), busy] }],
      [],
    );
    const listDue = async (): Promise<string[]> =>
      (
        await db.query(
          sql<{ kind: string }>`
            select kind from job where run_at <= ${now} and kind in ('busy', 'plain') order by kind`,
        )
      ).map(({ kind }) => kind);
    await worker.enqueueRecurringJobs();
    assert.deepEqual(await listDue(), ['busy', 'plain']);
    await db.query(sql`update job set run_at = ${new Date(now.getTime() + HOUR_MS)}`);
    await worker.enqueueRecurringJobs();
    assert.deepEqual(await listDue(), []);
    isBusy = true;
    await worker.enqueueRecurringJobs();
    assert.deepEqual(await listDue(), ['busy']);
    // Another node has it.
    await db.query(
      sql`update job set leased_by = gen_random_uuid(), run_at = ${new Date(now.getTime() + HOUR_MS)} where kind = 'busy'`,
    );
    await worker.enqueueRecurringJobs();
    assert.deepEqual(await listDue(), []);
  });

  it('waits for no time that a clock which was ahead has set (case 554)', async () => {
    const { db } = store;
    await db.query(sql`truncate job`);
    const now = new Date();
    const platform = { db, clock: { now: () => now }, secrets: { isKeyed: false }, onJobError: assert.fail };
    const kinds = ['chosen', 'far', 'leased', 'turn'];
    const worker = createServiceWorker(
      platform as unknown as Platform,
      [{ recurringJobs: kinds.map((kind) => createRecurringJob(kind, HOUR_MS, async () => {})) }],
      [],
    );
    await worker.enqueueRecurringJobs();
    const day = 24 * HOUR_MS;
    for (const [kind, ms] of [
      ['turn', HOUR_MS],
      ['chosen', 2 * HOUR_MS],
      ['far', 400 * day],
      ['leased', 400 * day],
    ] as const)
      await db.query(sql`update job set run_at = ${new Date(now.getTime() + ms)} where kind = ${kind}`);
    // Of a process that was killed.
    await db.query(sql`update job set leased_by = gen_random_uuid() where kind = 'leased'`);
    await worker.enqueueRecurringJobs();
    const due = await db.query(
      sql<{
        kind: string;
      }>`select kind from job where run_at <= ${now} and kind = any(${kinds}) order by kind`,
    );
    assert.deepEqual(
      due.map(({ kind }) => kind),
      ['far', 'leased'],
    );
  });
});
