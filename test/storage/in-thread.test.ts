import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { sql } from '../../server/platform/db/sql.ts';
import { ENGINES, openTestStore, type TestStore } from '../harness/store.ts';

for (const engine of ENGINES) {
  describe(`the store in another thread, on ${engine}`, () => {
    let store: TestStore;
    before(async () => {
      store = await openTestStore(engine);
      await store.db.tx((tx) => tx.script('create table thread_test (key text primary key, value text)'));
      await store.db.query(sql`insert into thread_test values ('from outside', 'a row')`);
    });
    after(() => store.remove());

    /** Resolves when the thread has ended. */
    async function runThread({ dies }: { dies: boolean }): Promise<void> {
      const { access, transfer } = store.db.createThreadHandle();
      const worker = new Worker(new URL('../harness/store-thread.ts', import.meta.url), {
        workerData: { access, dies },
        transferList: [...transfer],
      });
      const [code] = await once(worker, 'exit');
      assert.equal(code, dies ? 1 : 0);
    }

    const listKeys = async (): Promise<string[]> =>
      (await store.db.query(sql<{ key: string }>`select key from thread_test order by key`)).map(
        ({ key }) => key,
      );

    it('reads what is there, and what it writes is seen here', async () => {
      await runThread({ dies: false });
      const rows = await store.db.query(sql`select value from thread_test where key = 'from the thread'`);
      assert.deepEqual(rows, [{ value: 'saw a row' }]);
    });

    it('leaves nothing of a transaction in which the thread died, and holds up nobody', async () => {
      await Promise.all([runThread({ dies: true }), runThread({ dies: true })]);
      await store.db.tx((tx) => tx.query(sql`insert into thread_test values ('half', 'of ours')`));
      assert.deepEqual(await listKeys(), ['from outside', 'from the thread', 'half']);
    });

    it('leaves none of its prepared statements to the one session of the embedded engine', async () => {
      const left = async (): Promise<string[]> =>
        (
          await store.db.query(
            sql<{ name: string }>`select name from pg_prepared_statements where name not like 't0c%'`,
          )
        ).map(({ name }) => name);
      for (const dies of [false, true, false]) {
        await store.db.query(sql`delete from thread_test where key <> 'from outside'`);
        await runThread({ dies });
      }
      // The session of a thread that died is cleaned up after its end.
      while ((await left()).length > 0) await sleep(20);
    });
  });
}
