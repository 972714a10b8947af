import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTestClock, type TestClock } from '../../../test/harness/clock.ts';
import { ENGINES, openTestStore, type TestStore } from '../../../test/harness/store.ts';
import { one, type Db } from '../db/db.ts';
import { sql } from '../db/sql.ts';
import * as statements from './jobs.sql.ts';
import { Reschedule, type JobKind } from './job-kind.ts';
import { createJobWorker, type JobWorker } from './worker.ts';

const LEASE_MS = 30_000;

interface Told {
  attempts: number;
  state: string;
  leased_by: string | null;
  run_at: Date;
  last_error: string | null;
}

for (const engine of ENGINES) {
  describe(`jobs on ${engine}`, () => {
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
      more: Partial<JobKind<never>> & { concurrency?: number } = {},
    ): JobWorker => {
      const { concurrency = 2, ...kind } = more;
      const work = { kind: 'work', maxAttempts: 3, delaySeconds: (attempt: number) => attempt * 10 };
      const made = createJobWorker({ db, clock, onError: () => {} }, [
        { kinds: [{ ...work, ...kind, run }], concurrency },
      ]);
      workers.push(made);
      return made;
    };
    const enqueue = (on: JobWorker, key: string, payload: unknown = key): Promise<void> =>
      db.tx((tx) => on.enqueue(tx, { kind: 'work', uniqueKey: key, payload }));
    const jobs = (): Promise<Told[]> =>
      db.query(sql<Told>`select attempts, state, leased_by, run_at, last_error from job order by unique_key`);
    const secondsUntil = (at: Date): number => Math.round((at.getTime() - clock.now().getTime()) / 1000);
    /** Takes all due jobs and is never heard of again, as a process that was killed. */
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

    it('run with their payload and are gone', async () => {
      const payload = { id: 7, text: 'ä', list: [1.5, null] };
      const told: unknown[] = [];
      const working = worker((given) => Promise.resolve(void told.push(given)));
      await enqueue(working, 'a', payload);
      await working.drain();
      assert.deepEqual(told, [payload]);
      assert.deepEqual(await jobs(), []);
    });

    it('never run when the transaction that made them is rolled back', async () => {
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

    it('start at the commit, before the next poll', async () => {
      let started = (): void => {};
      const running = new Promise<void>((resolve) => (started = resolve));
      const working = worker(() => Promise.resolve(started()));
      await working.start();
      await sleep(20);
      const from = performance.now();
      await enqueue(working, 'a');
      await running;
      assert.ok(performance.now() - from < 900);
    });

    it('wait or run once for a key, and can be asked for again when they are done', async () => {
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

    it('are drained together with those that they make', async () => {
      const told: number[] = [];
      const working = worker(async (left: number) => {
        told.push(left);
        if (left > 0) await enqueue(working, String(left - 1), left - 1);
      });
      await enqueue(working, '4', 4);
      await working.drain();
      assert.deepEqual(told, [4, 3, 2, 1, 0]);
    });

    it('are left alone by a worker that does not know their kind', async () => {
      const working = worker(() => Promise.reject(new Error('never')));
      const another = worker(async () => {}, { kind: 'other' });
      await db.tx((tx) => another.enqueue(tx, { kind: 'other', uniqueKey: 'a', payload: null }));
      await working.drain();
      assert.deepEqual(
        (await jobs()).map(({ attempts }) => attempts),
        [0],
      );
    });

    it('are each run by one of several workers, at most so many at once', async () => {
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

    it('are claimed no more than asked for, whatever plan the database chooses', async () => {
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

    it('of a worker that died are taken over when its lease ends, not before', async () => {
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

    it('of a killed process are due at once on the embedded store, and stay leased on a shared one', async () => {
      let runs = 0;
      const working = worker(() => Promise.resolve(void runs++));
      await enqueue(working, 'a');
      await killedWorker();
      await working.start();
      await working.drain();
      assert.equal(runs, engine === 'embedded' ? 1 : 0);
    });

    it('keep their lease as long as they run', async (t) => {
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

    it('are asked to end when their lease was lost, and leave the job to whoever has it', async (t) => {
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

    it('are tried again after their delays, then parked, and whoever waits is told once', async () => {
      const told: string[] = [];
      const working = worker(() => Promise.reject(new TypeError('quotes a record')), {
        onDeadLetter: (payload) => Promise.resolve(void told.push(payload)),
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
      assert.deepEqual(told, []);
      await working.drain();
      clock.advance(3_600_000);
      await working.drain();
      const [job] = await jobs();
      assert.deepEqual([job?.state, job?.attempts], ['parked', 3]);
      assert.deepEqual(told, ['a']);
    });

    it('over which worker after worker died are parked without another try', async () => {
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

    it('that ask for later come again then, and it does not count', async () => {
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

    it('are asked to end at a stop and given back without counting, for the next process to take', async () => {
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

    it('that were being claimed at a stop are given back unbegun', async () => {
      let runs = 0;
      const slow: Db = {
        ...db,
        async query(statement) {
          const rows = await db.query(statement);
          if (statement.text.includes('skip locked')) await sleep(50);
          return rows;
        },
      };
      const run = (): Promise<void> => Promise.resolve(void runs++);
      const kinds = [{ kind: 'work', maxAttempts: 3, delaySeconds: () => 1, run }];
      const stopping = createJobWorker({ db: slow, clock, onError: () => {} }, [{ kinds, concurrency: 2 }]);
      await enqueue(stopping, 'a');
      await stopping.start();
      while ((await jobs())[0]?.leased_by === null) await sleep(5);
      await stopping.stop();
      assert.equal(runs, 0);
      const [job] = await jobs();
      assert.deepEqual([job?.attempts, job?.leased_by], [0, null]);
    });

    it('that end by themselves at a stop are done, and nothing new is claimed', async () => {
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
