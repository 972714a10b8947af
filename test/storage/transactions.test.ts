import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import { after, before, beforeEach, describe, it } from 'node:test';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { Worker, MessageChannel } from 'node:worker_threads';
import { one, type Db, type Tx } from '../../server/platform/db/db.ts';
import type { EmbeddedWorkerData } from '../../server/platform/db/embedded-worker.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { createStoreCapacity } from '../../server/platform/db/store-capacity.ts';
import { ENGINES, openTestStore, type TestStore } from '../harness/store.ts';

/** Resolves when it is opened. */
function createGate() {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}

for (const engine of ENGINES) {
  describe(`a transaction on ${engine}`, () => {
    let store: TestStore;
    let db: Db;
    before(async () => {
      ({ db } = store = await openTestStore(engine));
      await db.query(sql`create table thing (id int primary key, value int not null default 0)`);
    });
    beforeEach(() => db.query(sql`truncate thing`));
    after(() => store.remove());

    const insert = (on: Pick<Db, 'query'>, id: number) =>
      on.query(sql`insert into thing (id) values (${id})`);
    const ids = async (): Promise<number[]> =>
      (await db.query(sql<{ id: number }>`select id from thing order by id`)).map(({ id }) => id);

    it('keeps all of its statements and answers what its work answers', async () => {
      const answer = await db.tx(async (tx) => {
        await insert(tx, 1);
        await insert(tx, 2);
        return 'done';
      });
      assert.equal(answer, 'done');
      assert.deepEqual(await ids(), [1, 2]);
    });

    it('keeps none when its work throws, and passes the error on', async () => {
      const fault = new Error('no');
      await assert.rejects(
        db.tx(async (tx) => {
          await insert(tx, 1);
          throw fault;
        }),
        fault,
      );
      assert.deepEqual(await ids(), []);
    });

    it('fails when its work swallowed the error of a statement, because nothing of it is kept', async () => {
      const calls: string[] = [];
      await assert.rejects(
        db.tx(async (tx) => {
          tx.afterCommit(() => calls.push('committed'));
          await insert(tx, 1);
          await tx.query(sql`select 1 / 0`).catch(() => {});
        }),
        /rolled back/,
      );
      assert.deepEqual(await ids(), []);
      assert.deepEqual(calls, []);
    });

    it('executes what is sent at once in the order in which it was sent', async () => {
      const [, before, , after] = await db.tx((tx) =>
        Promise.all([
          insert(tx, 1),
          one(tx, sql<{ value: number }>`select value from thing where id = 1`),
          tx.query(sql`update thing set value = value + 1`),
          one(tx, sql<{ value: number }>`select value from thing where id = 1`),
        ]),
      );
      assert.deepEqual([before.value, after.value], [0, 1]);
    });

    it('keeps nothing of what was sent at once when some of it fails, and throws the first fault', async () => {
      await assert.rejects(
        db.tx((tx) =>
          Promise.all([
            insert(tx, 1),
            tx.query(sql`insert into no_such_table values (1)`),
            insert(tx, 1),
            insert(tx, 2),
          ]),
        ),
        { code: '42P01' },
      );
      assert.deepEqual(await ids(), []);
    });

    it('throws the first fault, and none that follows from it, however its work waits for the two', async () => {
      const failLate = async (tx: Tx): Promise<void> => {
        const failing = tx.query(sql`insert into no_such_table values (1)`);
        await failing.finally(() => Promise.resolve());
      };
      await assert.rejects(
        db.tx((tx) => Promise.all([failLate(tx), insert(tx, 1)])),
        { code: '42P01' },
      );
    });

    it('takes no statement after its end, neither committed nor rolled back', async () => {
      const late: Tx[] = [];
      await db.tx(async (tx) => void late.push(tx));
      await assert.rejects(db.tx((tx) => (late.push(tx), Promise.reject(new Error('no')))));
      for (const tx of late) {
        await assert.rejects(insert(tx, 1), /after the end of its transaction/);
        await assert.rejects(tx.script('insert into thing values (1)'), /after the end of its transaction/);
      }
      // What goes on after a fault that its work did not wait for.
      let goesOn: Promise<unknown> | undefined;
      await assert.rejects(
        db.tx((tx) => {
          goesOn = insert(tx, 1)
            .then(() => sleep(1))
            .then(() => insert(tx, 2));
          goesOn.catch(() => {});
          return tx.query(sql`select 1 / 0`);
        }),
        { code: '22012' },
      );
      await assert.rejects(goesOn ?? Promise.resolve(), /after the end of its transaction|aborted/);
      assert.deepEqual(await ids(), []);
    });

    it('runs what waits for the commit once the rows are there, in order', async () => {
      const calls: string[] = [];
      let seen: Promise<number[]> = Promise.resolve([]);
      await db.tx(async (tx) => {
        tx.afterCommit(() => {
          calls.push('one');
          seen = ids();
        });
        tx.afterCommit(() => calls.push('two'));
        await insert(tx, 1);
        assert.deepEqual(calls, []);
      });
      assert.deepEqual(calls, ['one', 'two']);
      assert.deepEqual(await seen, [1]);
    });

    it('drops what waits for the commit when it is rolled back, by its work or at the commit itself', async () => {
      const calls: string[] = [];
      await assert.rejects(
        db.tx((tx) => {
          tx.afterCommit(() => calls.push('rolled back'));
          return Promise.reject(new Error('no'));
        }),
      );
      await db.query(sql`create table late (id int unique deferrable initially deferred)`);
      await assert.rejects(
        db.tx(async (tx) => {
          tx.afterCommit(() => calls.push('refused at commit'));
          await tx.query(sql`insert into late values (1), (1)`);
        }),
        { code: '23505' },
      );
      assert.deepEqual(calls, []);
    });

    for (const code of ['40001', '40P01']) {
      it(`is run again after ${code}, with nothing left of the attempt before`, async () => {
        let attempts = 0;
        const calls: number[] = [];
        const { stored } = await db.tx(async (tx) => {
          attempts++;
          const attempt = attempts;
          tx.afterCommit(() => calls.push(attempt));
          await insert(tx, attempts);
          if (attempts < 3)
            await tx.script(`do $$ begin raise exception 'again' using errcode = '${code}'; end $$`);
          return one(tx, sql<{ stored: number }>`select count(*) as stored from thing`);
        });
        assert.equal(attempts, 3);
        assert.equal(stored, 1);
        assert.deepEqual(calls, [3]);
      });
    }

    it('is given up after five attempts, and at once for any other error', async () => {
      const failing = async (code: string): Promise<number> => {
        let attempts = 0;
        const work = (tx: Tx): Promise<void> => {
          attempts++;
          return tx.script(`do $$ begin raise exception 'no' using errcode = '${code}'; end $$`);
        };
        await assert.rejects(db.tx(work), { code });
        return attempts;
      };
      assert.equal(await failing('40001'), 5);
      assert.equal(await failing('23505'), 1);
    });

    it('refuses a query beside it and a transaction inside it, and goes on', async () => {
      await db.tx(async (tx) => {
        await insert(tx, 1);
        await assert.rejects(insert(db, 2), /beside the transaction/);
        await assert.rejects(
          db.tx(() => Promise.resolve()),
          /inside a transaction/,
        );
        await insert(tx, 3);
      });
      assert.deepEqual(await ids(), [1, 3]);
    });

    it('does not let another one change what it has locked', async () => {
      await insert(db, 1);
      await Promise.all(
        Array.from({ length: 20 }, () =>
          db.tx(async (tx) => {
            const { value } = await one(
              tx,
              sql<{ value: number }>`select value from thing where id = 1 for update`,
            );
            await sleep(1);
            await tx.query(sql`update thing set value = ${value + 1} where id = 1`);
          }),
        ),
      );
      assert.equal((await one(db, sql<{ value: number }>`select value from thing`)).value, 20);
    });

    it('is not seen by others until it commits', async () => {
      const inside = createGate();
      const go = createGate();
      const work = db.tx(async (tx) => {
        await insert(tx, 1);
        inside.open();
        await go.opened;
      });
      await inside.opened;
      const seen = ids();
      // The embedded engine has one session: whoever asks meanwhile waits for the end.
      if (engine === 'postgresql') await seen;
      go.open();
      await work;
      assert.deepEqual(await seen, engine === 'embedded' ? [1] : []);
    });
  });
}

describe('transactions that conflict on postgresql', () => {
  let store: TestStore;
  let db: Db;
  before(async () => {
    ({ db } = store = await openTestStore('postgresql'));
    await db.query(sql`create table thing (id int primary key, value int not null default 0)`);
    await db.query(sql`insert into thing values (1), (2)`);
  });
  after(() => store.remove());

  it('both succeed after a real deadlock', async () => {
    const inside = [createGate(), createGate()] as const;
    const survivor = createGate();
    let attempts = 0;
    const touch = async (first: number, second: number, mine: 0 | 1): Promise<void> => {
      await db.tx(async (tx) => {
        // Nothing orders the victim's second attempt behind the survivor's wait: without this, both may deadlock again.
        if (++attempts > 2) await survivor.opened;
        await tx.query(sql`update thing set value = value + 1 where id = ${first}`);
        inside[mine].open();
        await inside[mine === 0 ? 1 : 0].opened;
        await tx.query(sql`update thing set value = value + 1 where id = ${second}`);
      });
      survivor.open();
    };
    await Promise.all([touch(1, 2, 0), touch(2, 1, 1)]);
    assert.equal(attempts, 3);
    assert.deepEqual(await db.query(sql`select value from thing order by id`), [{ value: 2 }, { value: 2 }]);
  });

  it('leave a single statement that was in their way to be run again', async () => {
    const held = createGate();
    const inside = createGate();
    /** Returns once so many wait for a lock. A transaction sees what others do as it was when it looked first. */
    const waiting = async (tx: Tx, count: number): Promise<void> => {
      const look = sql`
        select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      while ((await tx.query(look)).length < count) await tx.query(sql`select pg_stat_clear_snapshot()`);
    };
    // Lets the statement on when the transaction waits for it: so the statement is who closes the circle, and looks.
    const holder = db.tx(async (tx) => {
      await tx.query(sql`select pg_advisory_xact_lock(1)`);
      held.open();
      await waiting(tx, 2);
    });
    await held.opened;
    const work = db.tx(async (tx) => {
      await tx.query(sql`set local deadlock_timeout = '1h'`);
      await tx.query(sql`select from thing where id = 2 for update`);
      inside.open();
      await waiting(tx, 1);
      await tx.query(sql`select from thing where id = 1 for update`);
    });
    await inside.opened;
    const statement = db.query(sql`
      with first as materialized (select from thing where id = 1 for update),
        second as materialized (select pg_advisory_xact_lock(1) from first)
      select id from thing where id = 2 and exists (select from second) for update`);
    await Promise.all([holder, work]);
    assert.deepEqual(await statement, [{ id: 2 }]);
  });

  it('fail alone when the server drops their connection, and the next ones go through', async () => {
    /** Returns once the connections have ended, and the pool has read so from its sockets. */
    const drop = async (): Promise<void> => {
      await db.query(sql`
        select pg_terminate_backend(pid, 60000) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`);
      for (let turn = 0; turn < 3; turn++) await setImmediate();
    };
    const inside = createGate();
    const dropped = createGate();
    const work = db.tx(async (tx) => {
      await tx.query(sql`update thing set value = 99 where id = 1`);
      inside.open();
      await dropped.opened;
      await tx.query(sql`select 1`);
    });
    const failed = assert.rejects(work);
    await inside.opened;
    await drop();
    dropped.open();
    await failed;
    await drop();
    const rows = await Promise.all(
      Array.from({ length: 8 }, () => db.query(sql`select value from thing where value = 99`)),
    );
    assert.deepEqual(rows.flat(), []);
    await db.tx((tx) => tx.query(sql`select 1`));
  });
});

describe('the connections for transactions on embedded', () => {
  it('stay, because what a connection has prepared stays in the one session for ever', async (t) => {
    const store = await openTestStore('embedded');
    t.after(() => store.remove());
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const prepared = async (): Promise<number> => {
      const ask = sql<{ count: number }>`select count(*) as count from pg_prepared_statements`;
      const { count } = await store.db.tx((tx) => one(tx, ask));
      t.mock.timers.tick(600_000);
      return count;
    };
    const before = await prepared();
    for (let hour = 0; hour < 6; hour++) await prepared();
    assert.equal(await prepared(), before);
  });
});

/** DataRow of one column that holds `0`. */
const NONE = 'D\0\0\0\x0b\0\x01\0\0\0\x010';

describe('the clients of the embedded engine', () => {
  let store: TestStore;
  let engine: Worker;
  before(async () => {
    // The engine without our client: bytes of the protocol over a port, and a port that just disappears.
    store = await openTestStore('embedded');
    await store.db.close();
    engine = new Worker(new URL('../../server/platform/db/embedded-worker.ts', import.meta.url), {
      workerData: {
        directory: `${store.dataDirectory}/store`,
        reserve: { dataDirectory: store.dataDirectory, bytes: 0 },
        capacity: createStoreCapacity().shared,
      } satisfies EmbeddedWorkerData,
    });
    await once(engine, 'message');
  });
  after(async () => {
    await engine.terminate();
    fs.rmSync(store.dataDirectory, { recursive: true });
  });

  const connectClient = () => {
    const { port1, port2 } = new MessageChannel();
    engine.postMessage({ connect: port2 }, [port2]);
    const replies: string[] = [];
    port1.on('message', (bytes: Uint8Array) => replies.push(Buffer.from(bytes).toString('latin1')));
    const sendBytes = (bytes: Buffer): void => port1.postMessage(bytes);
    const query = async (text: string): Promise<string> => {
      const answer = once(port1, 'message');
      sendBytes(message('Q', Buffer.from(`${text}\0`)));
      return Buffer.from((await answer)[0] as Uint8Array).toString('latin1');
    };
    const parameters = Buffer.from('user\0postgres\0database\0postgres\0\0');
    const start = Buffer.alloc(8);
    start.writeInt32BE(8 + parameters.length, 0);
    start.writeInt32BE(196_608, 4);
    const greeted = once(port1, 'message');
    sendBytes(Buffer.concat([start, parameters]));
    return { port: port1, query, say: sendBytes, heard: replies, ready: greeted };
  };

  const message = (type: string, body: Buffer): Buffer => {
    const head = Buffer.alloc(5);
    head.write(type);
    head.writeInt32BE(body.length + 4, 1);
    return Buffer.concat([head, body]);
  };

  const others = async (): Promise<string> => {
    const other = connectClient();
    await other.ready;
    const answer = await other.query('select count(*) from left_open');
    other.port.postMessage(null);
    return answer;
  };

  it('are rolled back when they say goodbye, or vanish, inside a transaction', async () => {
    const first = connectClient();
    await first.ready;
    await first.query('create table left_open (id int)');
    for (const leave of [
      (port: typeof first.port) => port.postMessage(null),
      (port: typeof first.port) => port.close(),
    ]) {
      const client = connectClient();
      await client.ready;
      await client.query('begin');
      await client.query('insert into left_open values (1)');
      leave(client.port);
      assert.ok((await others()).includes(NONE));
    }
  });

  it('hold nobody up when they vanish before their begin was executed', async () => {
    for (const leave of ['say', 'close'] as const) {
      const client = connectClient();
      await client.ready;
      client.say(message('Q', Buffer.from('begin\0')));
      if (leave === 'say') client.port.postMessage(null);
      else client.port.close();
      assert.ok((await others()).includes(NONE));
    }
  });
});

describe('a store that is closed', () => {
  it('refuses what comes later, and opens no connection for it', async () => {
    const { db } = await openTestStore();
    await db.query(sql`select 1`);
    await db.close();
    await assert.rejects(db.query(sql`select 1`), /the store is closed/);
    await assert.rejects(
      db.tx((tx) => tx.query(sql`select 1`)),
      /the store is closed/,
    );
  });
});
