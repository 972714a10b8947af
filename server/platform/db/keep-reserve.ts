import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { readMonotonicMs } from '../kernel/clock.ts';
import { createKeyedQueue } from '../kernel/keyed-queue.ts';
import { one, type Db, type Tx } from './db.ts';
import { raw, sql } from './sql.ts';
import type { CapacityLevel, ReserveOptions } from './store-capacity.ts';
import { isStoreFull } from './store-error.ts';

const INTERVAL_MS = 10_000;
/** A try to fill the reserve up writes until the disk is full, which costs the server something. */
const REFILL_MS = 60_000;
/** Some node may be trying to fill the reserve up just now, which takes the last space for about as long. */
const FILL_MS = 500;
const MAX_TRIES = 4;
const ROW_BYTES = 1024 * 1024;

type Part = 'storage_margin' | 'storage_reserve';

/** What a full disk makes of each level: the parts that are given back, and the level after it. */
const RELEASES: Readonly<Record<CapacityLevel, { parts: readonly Part[]; level: CapacityLevel } | null>> = {
  ample: { parts: ['storage_margin'], level: 'low' },
  low: { parts: ['storage_margin', 'storage_reserve'], level: 'full' },
  full: null,
};

/**
 * Keeps a reserve in tables of PostgreSQL, whose disk cannot be measured from here: when a statement fails because the disk
 * is full, a part of it is given back and the statement runs once more. What is there of it is the state, for all nodes.
 */
export function keepReserve(db: Db, options: ReserveOptions): Db {
  const reserve = createReserve(db, options);
  const tick = (): void => void reserve.tick().catch(() => {});
  const timer = setInterval(tick, options.intervalMs ?? INTERVAL_MS);
  timer.unref();
  // A node that is started anew while the disk is full must not read on with what is left for withdrawals.
  tick();

  async function retryWhenFull<T>(action: () => Promise<T>, tries = 0): Promise<T> {
    const level = db.capacity.level();
    try {
      return await action();
    } catch (error) {
      if (!isStoreFull(error) || tries > MAX_TRIES) throw error;
      if (level === 'full') await sleep(FILL_MS);
      await reserve.release(level).catch(() => {
        throw error;
      });
      return retryWhenFull(action, tries + 1);
    }
  }

  return {
    ...db,
    query: (statement) => retryWhenFull(() => db.query(statement)),
    tx: (work, txOptions) => retryWhenFull(() => db.tx(work, txOptions)),
    async measureCapacity() {
      await reserve.tick();
      return db.capacity.level();
    },
    async close() {
      clearInterval(timer);
      await reserve.idle();
      await db.close();
    },
  };
}

interface Reserve {
  /** Looks at what is there, and fills it up: first what withdrawals need. */
  tick(): Promise<void>;
  /** Gives back what the level has, unless another call has done so since. */
  release(level: CapacityLevel): Promise<void>;
  idle(): Promise<void>;
}

function createReserve(db: Db, options: ReserveOptions): Reserve {
  const { capacity } = db;
  const takeTurn = createKeyedQueue();
  const inTurn = (work: () => Promise<void>): Promise<void> => takeTurn('reserve', work);
  let fullAt = Number.NEGATIVE_INFINITY;

  async function refill(part: Part): Promise<boolean> {
    if (readMonotonicMs() - fullAt < (options.refillMs ?? REFILL_MS)) return false;
    const isFilled = await fill(db, part, options.bytes);
    if (!isFilled) fullAt = readMonotonicMs();
    return isFilled;
  }

  return {
    tick: () =>
      inTurn(async () => {
        const held = await one(db, selectHeld(options.bytes));
        const hasReserve = held.reserve || (await refill('storage_reserve'));
        const hasMargin = held.margin || (hasReserve && (await refill('storage_margin')));
        if (!hasReserve) capacity.set('full');
        else capacity.set(hasMargin ? 'ample' : 'low');
      }),
    release: (level) =>
      inTurn(async () => {
        const next = RELEASES[level];
        if (next === null || capacity.level() !== level) return;
        fullAt = readMonotonicMs();
        await dropAtOnce(db, next.parts);
        capacity.set(next.level);
      }),
    idle: () => inTurn(async () => {}),
  };
}

/** A part that is empty was lost in a crash of the server. */
const selectHeld = (bytes: number) => sql<{ margin: boolean; reserve: boolean }>`
  select coalesce(pg_total_relation_size(to_regclass('storage_margin')) >= ${bytes}, false) as margin,
    coalesce(pg_total_relation_size(to_regclass('storage_reserve')) >= ${bytes}, false) as reserve`;

/**
 * Gives a part back; waits two seconds at most for others that read it, such as a backup. It is not truncated, which needs
 * a new page for an index, and there is none.
 */
async function drop(tx: Tx, parts: readonly Part[]): Promise<void> {
  await tx.query(raw("set local lock_timeout = '2s'"));
  await tx.query(raw(`drop table if exists ${parts.join(', ')}`));
}

/** More than there are connections for single statements, which take turns. */
const MAX_DROPS = 10;

/**
 * Gives parts back over a connection that is open: a server whose disk is full may take no new one, since each writes a file
 * first where a vacuum of the catalog has made it old. Those for transactions are closed when they are idle.
 */
async function dropAtOnce(db: Db, parts: readonly Part[]): Promise<void> {
  const statement = raw(
    `do $$ begin set local lock_timeout = '2s'; drop table if exists ${parts.join(', ')}; end $$`,
  );
  for (let tries = 1; ; tries++)
    try {
      await db.query(statement);
      return;
    } catch (error) {
      if (!isStoreFull(error) || tries === MAX_DROPS) throw error;
    }
}

/**
 * Fills a part, all or nothing: false where the disk has no space for it. Unlogged, it costs no write-ahead log, whose disk
 * may be full too. The same random row many times: 64 different ones took 0.6 s of two processors to send.
 */
async function fill(db: Db, part: Part, bytes: number): Promise<boolean> {
  try {
    await db.tx(async (tx) => {
      await drop(tx, [part]);
      await tx.query(raw(`create unlogged table ${part} (bytes bytea not null)`));
      await tx.query(raw(`alter table ${part} alter column bytes set storage external`));
      await tx.query(
        sql`insert into ${raw(part)} select ${randomBytes(ROW_BYTES)}::bytea from generate_series(1, ${Math.ceil(bytes / ROW_BYTES)}::integer)`,
      );
    });
    return true;
  } catch (error) {
    if (isStoreFull(error)) return false;
    throw error;
  }
}
