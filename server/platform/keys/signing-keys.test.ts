import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createTestClock } from '../../../test/harness/clock.ts';
import { openTestStore, type TestStore } from '../../../test/harness/store.ts';
import type { Db } from '../db/db.ts';
import { createSigningKeys, rotateSigningKeys } from './signing-keys.ts';

describe('keys of several nodes', () => {
  let store: TestStore;
  before(async () => void (store = await openTestStore()));
  after(() => store.remove());

  it('finds a key that another node made since, however new its reading is, and asks once a second for made up ids (case 336)', async () => {
    const clock = createTestClock();
    let statements = 0;
    const counted = {
      ...store.db,
      query: (...args: Parameters<Db['query']>) => {
        statements++;
        return store.db.query(...args);
      },
    } as Db;
    const node = createSigningKeys({ db: counted, clock });
    await node.getCurrentKey();
    await rotateSigningKeys({ db: store.db, clock });
    const made = await rotateSigningKeys({ db: store.db, clock });
    assert.ok(await node.findPublishedKey(made));
    statements = 0;
    const madeUp = Array.from({ length: 50 }, (_, index) => `made-up-${index}`);
    assert.deepEqual(
      new Set(await Promise.all(madeUp.map((kid) => node.findPublishedKey(kid)))),
      new Set([null]),
    );
    assert.equal(statements, 0);
    clock.advance(1000);
    await Promise.all(madeUp.map((kid) => node.findPublishedKey(kid)));
    assert.equal(statements, 1);
  });

  it('signs with no retired key for longer than five seconds, when keys are rotated twice (case 342)', async () => {
    const clock = createTestClock();
    const node = createSigningKeys({ db: store.db, clock });
    const { kid: before } = await node.getCurrentKey();
    await rotateSigningKeys({ db: store.db, clock });
    const current = await rotateSigningKeys({ db: store.db, clock });
    assert.equal((await node.getCurrentKey()).kid, before);
    clock.advance(5000);
    assert.equal((await node.getCurrentKey()).kid, current);
    assert.equal(await createSigningKeys({ db: store.db, clock }).findPublishedKey(before), null);
  });
});
