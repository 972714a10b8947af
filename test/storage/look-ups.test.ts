import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { one, type Db } from '../../server/platform/db/db.ts';
import { openPostgres } from '../../server/platform/db/postgres.ts';
import { asLookUp, sql } from '../../server/platform/db/sql.ts';
import { openTestStore, type TestStore } from '../harness/store.ts';

const askBackend = () => sql<{ pid: number }>`select pg_backend_pid() as pid`;

describe('look-ups', () => {
  let store: TestStore;
  let db: Db;
  before(async () => {
    store = await openTestStore();
    db = openPostgres(store.databaseUrl as string, { size: { pipelines: 1, lookUps: 2, transactions: 1 } });
  });
  after(async () => {
    await db.close();
    await store.remove();
  });

  const lookUp = async (): Promise<number> => (await one(db, asLookUp(askBackend()))).pid;
  const askInTurn = async (): Promise<number> => {
    const backends = new Set(await Promise.all(Array.from({ length: 5 }, lookUp)));
    assert.equal(backends.size, 1, 'those of one turn are answered on one connection');
    return [...backends][0] as number;
  };

  it('go together in a turn of the event loop, and the next ones elsewhere', async () => {
    const first = await askInTurn();
    await setImmediate();
    const second = await askInTurn();
    await setImmediate();
    assert.notEqual(first, second);
    assert.equal(await askInTurn(), first);
  });

  it('do not wait for statements that take long', async () => {
    const answered: string[] = [];
    const slow = db.query(sql`select pg_sleep(0.5)`).then(() => answered.push('slow'));
    await Promise.all([lookUp(), lookUp()]).then(() => answered.push('look-ups'));
    await slow;
    assert.deepEqual(answered, ['look-ups', 'slow']);
  });

  it('fail alone, and are asked on another connection when theirs was ended', async () => {
    const faulty = db.query(asLookUp(sql`select 1 / ${0}::integer`));
    const answers = await Promise.allSettled([faulty, lookUp()]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      ['rejected', 'fulfilled'],
    );
    const ended = [await askInTurn(), (await setImmediate(), await askInTurn())];
    await db.query(sql`select pg_terminate_backend(pid) from unnest(${ended}::integer[]) pid`);
    let answer = null;
    while (answer === null || ended.includes(answer)) answer = await lookUp().catch(() => null);
  });
});
