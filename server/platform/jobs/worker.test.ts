import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTestClock, type TestClock } from '../../../test/harness/clock.ts';
import { ENGINES, openTestStore, type TestStore } from '../../../test/harness/store.ts';
import { one, type Db } from '../db/db.ts';
import { sql } from '../db/sql.ts';
import * as statements from './jobs.sql.ts';
import { Reschedule, type JobKind } from './job-kind.ts';
import { createJobWorker, type JobWorker, type WorkerPoolPlan } from './worker.ts';

const LEASE_MS = 30_000;

interface StoredJob {
  attempts: number;
  state: string;
  leased_by: string | null;
  run_at: Date;
  last_error: string | null;
}

for (const engine of ENGINES) {
  describe(`the job worker on ${engine}`, () => {
    let store: TestStore;
    let db: Db;
    let clock: TestClock;
    let workers: JobWorker[];
    before(async () => ({ db } = store = await openTestStore(engine)));
    beforeEach(async () => {
      clock = createTestClock();
      workers = [];
      await db.query(sql`truncate job`);
    });
    afterEach(() => Promise.all(workers.map((worker) => worker.stop())));
    after(() => store.remove());

    const worker = (
      run: JobKind<never>['run'],
      more: Partial<JobKind<never>> & Partial<Pick<WorkerPoolPlan, 'concurrency' | 'fairShares'>> = {},
    ): JobWorker => {
      const { concurrency = 2, fairShares, ...kind } = more;
      const work = { kind: 'work', maxAttempts: 3, delaySeconds: (attempt: number) => attempt * 10 };
      const made = createJobWorker({ db, clock, onError: () => {} }, [
        { kinds: [{ ...work, ...kind, run }], concurrency, ...(fairShares && { fairShares }) },
      ]);
      workers.push(made);
      return made;
    };
    const enqueue = (on: JobWorker, key: string, payload: unknown = key): Promise<void> =>
      db.tx((tx) => on.enqueue(tx, { kind: 'work', uniqueKey: key, payload }));
    const jobs = (): Promise<StoredJob[]> =>
      db.query(
        sql<StoredJob>`select attempts, state, leased_by, run_at, last_error from job order by unique_key`,
      );
    const secondsUntil = (at: Date): number => Math.round((at.getTime() - clock.now().getTime()) / 1000);
    /** Claims all due jobs and does nothing else, as a process that was killed. */
    const killedWorker = () => {
      const now = clock.now();
      const leaseUntil = new Date(now.getTime() + LEASE_MS);
      return db.query(
        statements.claimJobs({
          worker: '00000000-0000-7000-8000-000000000000',
          kinds: ['work'],
          now,
          leaseUntil,
          limit: 9,
        }),
      );
    };

    it('runs a job with its payload and deletes it', async () => {
      const payload = { id: 7, text: 'ä', list: [1.5, null] };
      const payloads: unknown[] = [];
      const working = worker((given) => Promise.resolve(void payloads.push(given)));
      await enqueue(working, 'a', payload);
      await working.drain();
      assert.deepEqual(payloads, [payload]);
      assert.deepEqual(await jobs(), []);
    });

    it('never runs a job whose transaction was rolled back', async () => {
      let runs = 0;
      const working = worker(() => Promise.resolve(void runs++));
      await working.start();
      const doomed = db.tx(async (tx) => {
        await working.enqueue(tx, { kind: 'work', uniqueKey: 'a', payload: null });
        throw new Error('no');
      });
      await assert.rejects(doomed);
      await working.drain();
      assert.equal(runs, 0);
    });

    it('starts a job at the commit, before the next poll', async (t) => {
      // No poll comes: its timer stands still.
      t.mock.timers.enable({ apis: ['setInterval'] });
      let started = (): void => {};
      const running = new Promise<void>((resolve) => (started = resolve));
      const working = worker(() => Promise.resolve(started()));
      await working.start();
      await enqueue(working, 'a');
      await running;
    });

    it('keeps one job for a key, and accepts another one when it is done', async () => {
      let runs = 0;
      const working = worker(async () => {
        runs++;
        if (runs === 1) await enqueue(working, 'a');
      });
      await Promise.all([enqueue(working, 'a'), enqueue(working, 'a')]);
      await working.drain();
      assert.equal(runs, 1);
      await enqueue(working, 'a');
      await working.drain();
      assert.equal(runs, 2);
    });

    it('case 328: leaves capacity for others where many jobs of one are slow, and goes on with these when one ends', async () => {
      const started: string[] = [];
      const ends = new Map<string, () => void>();
      const { promise: others, resolve: onOthers } = Promise.withResolvers<void>();
      const { promise: third, resolve: onThird } = Promise.withResolvers<void>();
      const working = worker(
        ({ of, name }: { of: string; name: string }) => {
          started.push(name);
          if (of === 'other') return Promise.resolve(onOthers());
          if (name === 'slow 3') onThird();
          return new Promise<void>((resolve) => ends.set(name, resolve));
        },
        { concurrency: 4, fairShares: [{ key: 'of', max: 2 }] },
      );
      for (const name of ['slow 1', 'slow 2', 'slow 3']) await enqueue(working, name, { of: 'slow', name });
      await enqueue(working, 'other', { of: 'other', name: 'other' });
      await working.start();
      await others;
      assert.deepEqual(started.toSorted(), ['other', 'slow 1', 'slow 2']);
      ends.get('slow 1')?.();
      await third;
      for (const end of ends.values()) end();
      await working.drain();
      assert.deepEqual(await jobs(), []);
    });

    it('case 564: leaves capacity for another server of the same organization where one is slow', async () => {
      const started: string[] = [];
      const ends: (() => void)[] = [];
      const { promise: healthy, resolve: onHealthy } = Promise.withResolvers<void>();
      const working = worker(
        ({ server, name }: { of: string; server: string; name: string }) => {
          started.push(name);
          if (server === 'healthy') return Promise.resolve(onHealthy());
          return new Promise<void>((resolve) => ends.push(resolve));
        },
        {
          concurrency: 6,
          fairShares: [
            { key: 'of', max: 4 },
            { key: 'server', max: 2 },
          ],
        },
      );
      for (const name of ['slow 1', 'slow 2', 'slow 3', 'slow 4'])
        await enqueue(working, name, { of: 'clinic', server: 'slow', name });
      await enqueue(working, 'healthy', { of: 'clinic', server: 'healthy', name: 'healthy' });
      await working.start();
      await healthy;
      assert.deepEqual(started.toSorted(), ['healthy', 'slow 1', 'slow 2']);
      const draining = working.drain();
      while (started.length < 5) {
        for (const end of ends.splice(0)) end();
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      for (const end of ends) end();
      await draining;
      assert.deepEqual(await jobs(), []);
    });

    it('drains jobs together with those that they enqueue', async () => {
      const remaining: number[] = [];
      const working = worker(async (left: number) => {
        remaining.push(left);
        if (left > 0) await enqueue(working, String(left - 1), left - 1);
      });
      await enqueue(working, '4', 4);
      await working.drain();
      assert.deepEqual(remaining, [4, 3, 2, 1, 0]);
    });

    it('claims no job of a kind that it does not know', async () => {
      const working = worker(() => Promise.reject(new Error('never')));
      const another = worker(async () => {}, { kind: 'other' });
      await db.tx((tx) => another.enqueue(tx, { kind: 'other', uniqueKey: 'a', payload: null }));
      await working.drain();
      assert.deepEqual(
        (await jobs()).map(({ attempts }) => attempts),
        [0],
      );
    });

    it('runs each job on one of several workers, never more at once than the concurrency', async () => {
      const runs = new Map<string, number>();
      const active = new Map<JobWorker, number>();
      let most = 0;
      const pool: JobWorker[] = Array.from({ length: 4 }, () => {
        const mine: JobWorker = worker(
          async (key: string) => {
            active.set(mine, (active.get(mine) ?? 0) + 1);
            most = Math.max(most, active.get(mine) ?? 0);
            runs.set(key, (runs.get(key) ?? 0) + 1);
            await sleep(2);
            active.set(mine, (active.get(mine) ?? 0) - 1);
          },
          { concurrency: 3 },
        );
        return mine;
      });
      const first = pool[0] as JobWorker;
      await db.tx(async (tx) => {
        for (let n = 0; n < 60; n++)
          await first.enqueue(tx, { kind: 'work', uniqueKey: `${n}`, payload: `${n}` });
      });
      await db.query(sql`analyze job`);
      await Promise.all(pool.map((each) => each.drain()));
      assert.equal(runs.size, 60);
      assert.deepEqual(new Set(runs.values()), new Set([1]));
      assert.ok(most <= 3, `${most} at once`);
    });

    it('claims no more jobs than the limit, whatever plan the database chooses', async () => {
      const working = worker(() => Promise.resolve());
      for (let n = 0; n < 5; n++) await enqueue(working, `${n}`);
      const now = clock.now();
      const claimed = await db.tx(async (tx) => {
        await tx.script(
          'set local enable_hashjoin = off; set local enable_mergejoin = off; set local enable_hashagg = off; set local enable_sort = off; set local enable_material = off',
        );
        return tx.query(
          statements.claimJobs({
            worker: '00000000-0000-7000-8000-000000000000',
            kinds: ['work'],
            now,
            leaseUntil: now,
            limit: 2,
          }),
        );
      });
      assert.equal(claimed.length, 2);
    });

    it('takes over the jobs of a dead worker when its lease ends, not before', async () => {
      let runs = 0;
      const working = worker(() => Promise.resolve(void runs++));
      await enqueue(working, 'a');
      await killedWorker();
      clock.advance(LEASE_MS - 2_000);
      await working.drain();
      assert.equal(runs, 0);
      clock.advance(2_100);
      await working.drain();
      assert.equal(runs, 1);
      assert.deepEqual(await jobs(), []);
    });

    it('takes over the jobs of a killed process at once on the embedded store, after the lease on a shared one', async () => {
      let runs = 0;
      const working = worker(() => Promise.resolve(void runs++));
      await enqueue(working, 'a');
      await killedWorker();
      await working.start();
      await working.drain();
      assert.equal(runs, engine === 'embedded' ? 1 : 0);
    });

    it('takes over what a killed process did by itself at once on the embedded store, at its time on a shared one', async () => {
      let runs = 0;
      const standby = worker(() => Promise.resolve(void runs++), { isStandby: true });
      const later = new Date(clock.now().getTime() + 60_000);
      await db.tx((tx) => standby.enqueue(tx, { kind: 'work', uniqueKey: 'a', payload: null, runAt: later }));
      await standby.start();
      await standby.drain();
      assert.equal(runs, engine === 'embedded' ? 1 : 0);
    });

    it('leaves what is to run later to its time, also on the embedded store', async () => {
      let runs = 0;
      const working = worker(() => Promise.resolve(void runs++));
      const later = new Date(clock.now().getTime() + 60_000);
      await db.tx((tx) => working.enqueue(tx, { kind: 'work', uniqueKey: 'a', payload: null, runAt: later }));
      await working.start();
      await working.drain();
      assert.equal(runs, 0);
    });

    it('extends the lease of a job as long as it runs', async (t) => {
      t.mock.timers.enable({ apis: ['setInterval'] });
      let end = (): void => {};
      const working = worker(() => new Promise<void>((resolve) => (end = resolve)));
      await enqueue(working, 'a');
      const drained = working.drain();
      while ((await jobs())[0]?.attempts !== 1) await sleep(5);
      clock.advance(20_000);
      t.mock.timers.tick(10_000);
      while (secondsUntil((await jobs())[0]?.run_at as Date) < 29) await sleep(5);
      end();
      await drained;
      assert.deepEqual(await jobs(), []);
    });

    it('aborts a job whose lease was lost, and leaves the job to its new worker', async (t) => {
      t.mock.timers.enable({ apis: ['setInterval'] });
      let reason: unknown;
      const working = worker(
        (_, signal) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => {
              reason = signal.reason;
              reject(signal.reason as Error);
            });
          }),
      );
      await enqueue(working, 'a');
      const drained = working.drain();
      while ((await jobs())[0]?.attempts !== 1) await sleep(5);
      clock.advance(LEASE_MS + 1);
      await killedWorker();
      t.mock.timers.tick(10_000);
      await drained;
      assert.match(String(reason), /lease was lost/);
      const [job] = await jobs();
      assert.equal(job?.leased_by, '00000000-0000-7000-8000-000000000000');
      assert.equal(job?.attempts, 2);
    });

    it('retries a job after its delays, then parks it, and calls onDeadLetter once', async () => {
      const deadLetters: string[] = [];
      const working = worker(() => Promise.reject(new TypeError('quotes a record')), {
        onDeadLetter: (payload) => Promise.resolve(void deadLetters.push(payload)),
      });
      await enqueue(working, 'a');
      for (const [attempt, delay] of [
        [1, 10],
        [2, 20],
      ] as const) {
        await working.drain();
        const [job] = await jobs();
        assert.equal(job?.attempts, attempt);
        assert.equal(job.leased_by, null);
        assert.equal(secondsUntil(job.run_at), delay);
        assert.equal(job.last_error, 'TypeError', 'only the kind of the error is kept');
        clock.advance((delay - 1) * 1000);
        await working.drain();
        assert.equal((await jobs())[0]?.attempts, attempt);
        clock.advance(1_100);
      }
      assert.deepEqual(deadLetters, []);
      await working.drain();
      clock.advance(3_600_000);
      await working.drain();
      const [job] = await jobs();
      assert.deepEqual([job?.state, job?.attempts], ['parked', 3]);
      assert.deepEqual(deadLetters, ['a']);
    });

    it('parks a job during which worker after worker died, without another try', async () => {
      let runs = 0;
      const working = worker(() => Promise.resolve(void runs++));
      await enqueue(working, 'a');
      for (let death = 1; death <= 3 + 20; death++) {
        await killedWorker();
        clock.advance(LEASE_MS + 1);
      }
      await working.drain();
      const [job] = await jobs();
      assert.equal(runs, 0);
      assert.equal(job?.state, 'parked');
      assert.equal(job.last_error, 'WorkerCrashError');
    });

    it('runs a rescheduled job again after its delay, without counting the attempt', async () => {
      let runs = 0;
      const working = worker(() => {
        runs++;
        return runs <= 5 ? Promise.reject(new Reschedule(2_000)) : Promise.resolve();
      });
      await enqueue(working, 'a');
      for (let time = 1; time <= 5; time++) {
        await working.drain();
        assert.equal(runs, time);
        const [job] = await jobs();
        assert.equal(job?.attempts, 0);
        assert.equal(secondsUntil(job.run_at), 2);
        clock.advance(2_100);
      }
      await working.drain();
      assert.equal(runs, 6);
      assert.deepEqual(await jobs(), []);
    });

    it('aborts running jobs at a stop and releases them without counting the attempt', async () => {
      const started = { resolve: (): void => {} };
      const running = new Promise<void>((resolve) => (started.resolve = resolve));
      const stopping = worker((_, signal) => {
        started.resolve();
        return new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason as Error)),
        );
      });
      await stopping.start();
      await enqueue(stopping, 'a');
      await running;
      await stopping.stop();
      const [job] = await jobs();
      assert.deepEqual([job?.attempts, job?.leased_by, job?.state], [0, null, 'due']);
      let runs = 0;
      const next = worker(() => Promise.resolve(void runs++));
      await next.drain();
      assert.equal(runs, 1);
    });

    it('releases jobs that were being claimed at a stop without running them', async () => {
      let runs = 0;
      const { promise: isStopping, resolve: goOn } = Promise.withResolvers<void>();
      const slow: Db = {
        ...db,
        async query(statement) {
          const rows = await db.query(statement);
          if (statement.text.includes('skip locked')) await isStopping;
          return rows;
        },
      };
      const run = (): Promise<void> => Promise.resolve(void runs++);
      const kinds = [{ kind: 'work', maxAttempts: 3, delaySeconds: () => 1, run }];
      const stopping = createJobWorker({ db: slow, clock, onError: () => {} }, [{ kinds, concurrency: 2 }]);
      await enqueue(stopping, 'a');
      await stopping.start();
      while ((await jobs())[0]?.leased_by === null) await sleep(5);
      const stopped = stopping.stop();
      goOn();
      await stopped;
      assert.equal(runs, 0);
      const [job] = await jobs();
      assert.deepEqual([job?.attempts, job?.leased_by], [0, null]);
    });

    it('lets jobs finish at a stop, and claims nothing new', async () => {
      let runs = 0;
      const begun = Promise.withResolvers<void>();
      const working = worker(
        async () => {
          runs++;
          begun.resolve();
          await sleep(30);
        },
        { concurrency: 1 },
      );
      await enqueue(working, 'a');
      await enqueue(working, 'b');
      await working.start();
      await begun.promise;
      await working.stop();
      assert.equal(runs, 1);
      const { left } = await one(
        db,
        sql<{ left: number }>`select count(*) as left from job where leased_by is null`,
      );
      assert.equal(left, 1);
    });
  });
}
