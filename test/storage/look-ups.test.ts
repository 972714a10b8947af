import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
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
    db = openPostgres(store.databaseUrl as string, {
      size: { pipelines: 1, separatesLookUps: true, transactions: 1 },
    });
  });
  after(async () => {
    await db.close();
    await store.remove();
  });

  const lookUp = async (): Promise<number> => (await one(db, asLookUp(askBackend()))).pid;

  it('go to a connection of their own', async () => {
    const other = await one(db, askBackend());
    const backends = new Set(await Promise.all(Array.from({ length: 5 }, lookUp)));
    assert.equal(backends.size, 1);
    assert.ok(!backends.has(other.pid));
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
    const ended = await lookUp();
    await db.query(sql`select pg_terminate_backend(${ended}::integer)`);
    let answer: number | null = ended;
    while (answer === null || answer === ended) answer = await lookUp().catch(() => null);
  });
});
