import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { isLong } from '../harness/long.ts';
import { ENGINES, openTestStore, type TestStore } from '../harness/store.ts';
import { storeFolder } from '../harness/store-folder.ts';
import { runWriter, waitUntilWritten } from './run-writer.ts';

/** How often each engine's writer is killed; 50 takes about two minutes. */
const ROUNDS = isLong ? 50 : 2;

describe('after kill -9 at any moment', { concurrency: true }, () => {
  for (const engine of ENGINES) {
    describe(`on ${engine}`, () => {
      let store: TestStore;
      before(async () => {
        store = await openTestStore(engine);
        await store.db.close();
      });
      after(() => fs.rmSync(store.dataDirectory, { recursive: true }));

      it(`everything that was acknowledged is there and whole, ${ROUNDS} times in a row`, async (t) => {
        const acknowledged = new Set<string>();
        let unacknowledged = 0;
        for (let round = 0; round <= ROUNDS; round++) {
          const writer = runWriter(t, round < ROUNDS ? 'write' : 'read', store);
          const found = await writer.found;
          const keys = new Set(found.keys);
          assert.deepEqual(
            [...acknowledged].filter((key) => !keys.has(key)),
            [],
            `lost before round ${round}`,
          );
          assert.equal(found.torn, 0);
          assert.equal(keys.size, found.keys.length);
          unacknowledged = keys.size - acknowledged.size;
          // A loaded machine may not get to write at all in that time, and then nothing would be shown.
          if (round < ROUNDS) await waitUntilWritten(writer, 3).then(() => sleep(Math.random() * 400));
          const { signal, stderr } = await (round < ROUNDS ? writer.kill() : writer.exited);
          assert.equal(signal, round < ROUNDS ? 'SIGKILL' : null, stderr);
          for (const key of writer.stored) acknowledged.add(key);
        }
        assert.ok(acknowledged.size > ROUNDS);
        t.diagnostic(
          `${engine}: ${acknowledged.size} acknowledged, 0 lost, ${unacknowledged} more were stored when killed`,
        );
      });
    });
  }
});

describe('the initialization of the embedded store', () => {
  it('that was killed leaves a folder which the next start sweeps away', async (t) => {
    const dataDirectory = await killInitialization(t);
    assert.match(listStores(dataDirectory).join(), /^store\.init-\d+$/);
    const second = runWriter(t, 'read', { dataDirectory });
    assert.deepEqual(await second.found, { keys: [], transactions: {}, torn: 0 });
    assert.equal((await second.exited).code, 0);
    assert.deepEqual(listStores(dataDirectory), ['store']);
  });
});

/** Kills a process while it makes its store, and another elsewhere where the kill came too late; returns the data directory. */
async function killInitialization(t: TestContext): Promise<string> {
  for (let delayMs = 100; ; delayMs /= 2) {
    const dataDirectory = fs.mkdtempSync(path.join(storeFolder(), 'chartgate-kill-'));
    t.after(() => fs.rmSync(dataDirectory, { recursive: true }));
    const first = runWriter(t, 'hold', { dataDirectory });
    while (listStores(dataDirectory).length === 0) await sleep(10);
    await sleep(delayMs);
    await first.kill();
    if (!listStores(dataDirectory).includes('store')) return dataDirectory;
  }
}

const listStores = (dataDirectory: string): string[] =>
  fs
    .readdirSync(dataDirectory)
    .filter((name) => name.startsWith('store'))
    .sort();
