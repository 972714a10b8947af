import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Db, Tx } from './db.ts';
import { shareFairly } from './share-fairly.ts';
import { sql, type Sql } from './sql.ts';

/** An engine that answers when `answer` is called, and notes what was handed to it. */
function createEngine(): { db: Db; begun: string[]; answer(): void } {
  const begun: string[] = [];
  const answers: (() => void)[] = [];
  const begin = <T>(name: string, result: T): Promise<T> => {
    begun.push(name);
    return new Promise((resolve) => answers.push(() => resolve(result)));
  };
  const db = {
    query: ({ values }: Sql) => begin(String(values[0]), []),
    queryRowBytes: ({ values }: Sql) => begin(String(values[0]), null),
    tx: async <T>(work: (tx: Tx) => Promise<T>) => {
      await begin('transaction', null);
      return work({} as Tx);
    },
  } as unknown as Db;
  return { db, begun, answer: () => answers.shift()?.() };
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('case 192: an engine that is shared', () => {
  it('takes the statements of all in turn, however many one of them has', async () => {
    const engine = createEngine();
    const db = shareFairly(engine.db, { transactions: 1 });
    const many = Array.from({ length: 120 }, () => db.runAs('one', () => db.query(sql`${'one'}`)));
    const other = [1, 2].map(() => db.runAs('other', () => db.query(sql`${'other'}`)));
    const copied = db.runAs('third', () => db.queryRowBytes(sql`${'third'}`));
    const ownWork = db.query(sql`${'nobody'}`);
    while (engine.begun.length < 124) {
      engine.answer();
      await settle();
    }
    engine.answer();
    engine.answer();
    await Promise.all([...many, ...other, copied, ownWork]);
    assert.deepEqual(engine.begun.slice(0, 2), ['one', 'one']);
    assert.deepEqual(engine.begun.slice(2, 8), ['one', 'other', 'third', 'nobody', 'one', 'other']);
    assert.equal(engine.begun.filter((name) => name === 'one').length, 120);
  });

  it('has no more statements before it than it needs, and goes on when one fails', async () => {
    const engine = createEngine();
    const db = shareFairly(engine.db, { transactions: 1 });
    const answers = [1, 2, 3].map(() => db.query(sql`${'a'}`));
    await settle();
    assert.equal(engine.begun.length, 2);
    const failing = shareFairly(
      { ...engine.db, query: () => Promise.reject(new Error('a fault')) },
      { transactions: 1 },
    );
    for (let round = 0; round < 5; round++) await assert.rejects(failing.query(sql`x`), /a fault/);
    for (let round = 0; round < 3; round++) {
      engine.answer();
      await settle();
    }
    await Promise.all(answers);
  });

  it('takes transactions in turn, too, and what they call in order', async () => {
    const engine = createEngine();
    const db = shareFairly(engine.db, { transactions: 1 });
    const order: string[] = [];
    const begin = (owner: string) => db.runAs(owner, () => db.tx(async () => void order.push(owner)));
    const all = ['one', 'one', 'one', 'other'].map(begin);
    for (let round = 0; round < 4; round++) {
      engine.answer();
      await settle();
    }
    await Promise.all(all);
    assert.deepEqual(order, ['one', 'one', 'other', 'one']);
  });
});
