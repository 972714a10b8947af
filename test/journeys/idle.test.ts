import assert from 'node:assert/strict';
import { after, describe, it, type TestContext } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { createService } from '../../server/app.ts';
import { readConfig } from '../../server/config.ts';
import type { Db } from '../../server/platform/db/db.ts';
import { ENGINES, openTestStore, type TestStore } from '../harness/store.ts';

const SECOND = 1000;
/** With each timer in it but the hourly one, some of them many times. */
const SECONDS = 300;

/** The store, and how many statements it was sent, begin and commit among them. */
function countStatements(db: Db): { db: Db; statements: () => number; waitUntilIdle(): Promise<void> } {
  let [statements, underWay] = [0, 0];
  const during = async <T>(most: number, work: Promise<T>): Promise<T> => {
    statements += most;
    underWay++;
    return work.finally(() => underWay--);
  };
  return {
    statements: () => statements,
    async waitUntilIdle() {
      // What follows an answer follows it within a few turns.
      for (let turns = 0; turns < 5; turns = underWay > 0 ? 0 : turns + 1) await turn();
    },
    db: {
      ...db,
      query: (statement) => during(1, db.query(statement)),
      tx: (work, options) =>
        during(
          2,
          db.tx((tx) => {
            const query: typeof tx.query = (statement) => {
              statements++;
              return tx.query(statement);
            };
            return work({ ...tx, query });
          }, options),
        ),
    },
  };
}

describe('the idle service', () => {
  const stores: TestStore[] = [];
  after(() => Promise.all(stores.map((store) => store.remove())));

  for (const engine of ENGINES)
    it(`asks ${engine} at most two statements a second`, async (t: TestContext) => {
      const store = await openTestStore(engine);
      stores.push(store);
      const { db, statements, waitUntilIdle } = countStatements(store.db);
      // Stands still between the seconds, however slow the machine is.
      let now = Date.now();
      const clock = { now: () => new Date(now) };
      const config = readConfig({
        CHARTGATE_DATA_DIR: store.dataDirectory,
        CHARTGATE_LOG_LEVEL: 'error',
      });
      t.mock.timers.enable({ apis: ['setInterval', 'setTimeout'] });
      const { app, worker } = createService({ config, db, clock });
      await app.ready();
      await worker.start();
      await worker.enqueueRecurringJobs();
      await waitUntilIdle();

      const before = statements();
      for (let second = 0; second < SECONDS; second++) {
        now += SECOND;
        t.mock.timers.tick(SECOND);
        await waitUntilIdle();
      }
      const perSecond = (statements() - before) / SECONDS;
      t.diagnostic(`${perSecond} statements a second`);
      assert.ok(perSecond >= 1, `only ${perSecond} statements a second: is anybody looking?`);
      assert.ok(perSecond <= 2, `${perSecond} statements a second`);
      t.mock.timers.reset();
      await worker.stop();
      await app.close();
    });
});
