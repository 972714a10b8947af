import type { MessagePort } from 'node:worker_threads';
import type { PGlite } from '@electric-sql/pglite';
import { readMonotonicMs } from '../kernel/clock.ts';
import { concatBytes } from './concat-bytes.ts';
import { createEngineTurns, type EngineTurns, type EngineUser } from './engine-turns.ts';

/** One client's connection, with the bytes that arrived and are not executed yet. */
interface Session {
  /** null: no client waits for the answers. */
  port: MessagePort | null;
  pending: Uint8Array[];
  started: boolean;
  isImport: boolean;
}

/** A session of ours, whose answers nobody waits for. */
const OURS: Readonly<Session> = { port: null, pending: [], started: true, isImport: false };

export interface Sessions {
  add(port: MessagePort, user: EngineUser): void;
  /** Deallocates the statements with the prefix of a thread that has ended: they would stay for ever otherwise. */
  deallocate(prefix: string): void;
  /** Runs work on the engine itself between two transactions. */
  runAlone(work: () => Promise<void>): Promise<void>;
  /** Executes nothing any more, before the engine is closed: what still comes is of connections that have ended. */
  stop(): void;
}

/**
 * Lets many clients share the engine's single session: each speaks the PostgreSQL protocol over a port, and one
 * that opened a transaction keeps the engine until it ends, so that transactions never interleave.
 */
export function serveSessions(engine: PGlite): Sessions {
  const ready: Session[] = [];
  const alone = createTurns();
  const turns = createEngineTurns(readMonotonicMs);
  /** Whose statement is executed, or who has a transaction open. */
  let owner: Session | null = null;
  let scheduled = false;
  let stopped = false;
  const discardOldPlans = createPlanAging(engine);

  const schedule = (): void => {
    if (scheduled) return;
    scheduled = true;
    setImmediate(() => void executeNext());
  };

  /** Executes what one session has sent; then lets the event loop receive from the others. */
  async function executeNext(): Promise<void> {
    if (stopped) return;
    if (owner === null && alone.isWaiting()) await alone.next();
    const session = owner ? (ready.includes(owner) ? owner : null) : chooseSession(turns, ready, schedule);
    if (session) {
      ready.splice(ready.indexOf(session), 1);
      const [isFirst, startedAt] = [owner === null, readMonotonicMs()];
      owner = session;
      const { status, received } = await execute(engine, session);
      turns.count(session, readMonotonicMs() - startedAt, isFirst);
      owner = status === 'I' ? null : session;
      await discardOldPlans(received, owner === null);
    }
    scheduled = false;
    if (owner ? ready.includes(owner) : (session && ready.length > 0) || alone.isWaiting()) schedule();
  }

  const enqueue = (session: Session, bytes: Uint8Array): void => {
    session.pending.push(bytes);
    if (!ready.includes(session)) ready.push(session);
    schedule();
  };

  return {
    add(port, { isImport }) {
      const session: Session = { port, pending: [], started: false, isImport };
      port.on('message', (bytes: Uint8Array | null) => (bytes ? enqueue(session, bytes) : port.close()));
      port.on('close', () => {
        // However the client disconnected: what it sent is not begun any more, and its open transaction is rolled
        // back so that the others can go on.
        session.pending = [];
        if (ready.includes(session)) ready.splice(ready.indexOf(session), 1);
        if (session === owner) enqueue(session, encodeSimpleQuery('rollback'));
      });
    },
    deallocate: (prefix) => enqueue({ ...OURS, pending: [] }, encodeSimpleQuery(buildDeallocateSql(prefix))),
    runAlone: (work) => alone.add(work, schedule),
    stop: () => void (stopped = true),
  };
}

/** Returns the session whose turn it is: none while imports are held back for others, after which it is asked again. */
function chooseSession(turns: EngineTurns, ready: readonly Session[], again: () => void): Session | null {
  const chosen = turns.choose(ready);
  if (typeof chosen !== 'number') return chosen;
  if (chosen > 0) setTimeout(again, chosen);
  return null;
}

/** Work that waits for its turn; a turn never rejects, since whoever gives it must go on. */
function createTurns() {
  const waiting: (() => Promise<void>)[] = [];
  return {
    isWaiting: () => waiting.length > 0,
    next: async () => waiting.shift()?.(),
    add: (work: () => Promise<void>, onAdded: () => void) =>
      new Promise<void>((resolve, reject) => {
        waiting.push(() => work().then(resolve, reject));
        onAdded();
      }),
  };
}

const READY_FOR_QUERY = 0x5a;

/**
 * Plans are kept, and made anew after so many bytes of statements: there is no autovacuum whose statistics would end a plan
 * from when a table was empty.
 */
const PLANS_LAST_FOR_BYTES = 1024 * 1024;

function createPlanAging(
  engine: PGlite,
): (received: number, isBetweenTransactions: boolean) => Promise<void> {
  let age = 0;
  return async (received, isBetweenTransactions) => {
    age += received;
    if (!isBetweenTransactions || age < PLANS_LAST_FOR_BYTES) return;
    age = 0;
    await engine.exec('discard plans');
  };
}

/**
 * Executes the session's bytes and sends the answer; returns the transaction status of ReadyForQuery (I, T or E) and how
 * many bytes were received.
 */
async function execute(engine: PGlite, session: Session): Promise<{ status: string; received: number }> {
  const input =
    session.pending.length === 1 ? (session.pending[0] as Uint8Array) : concatBytes(session.pending);
  session.pending = [];
  const chunks: Uint8Array[] = [];
  if (session.started) {
    await engine.execProtocolRawStream(input, {
      syncToFs: false,
      onRawData: (bytes) => chunks.push(bytes.slice()),
    });
  } else {
    session.started = true;
    chunks.push(await engine.execProtocolRaw(input, { syncToFs: false }));
  }
  const response = concatBytes(chunks);
  const status = response.at(-6) === READY_FOR_QUERY ? String.fromCharCode(response.at(-1) as number) : 'I';
  session.port?.postMessage(response, [response.buffer]);
  return { status, received: input.length };
}

/** The prefix is our own: letters, digits and underscores. */
const buildDeallocateSql = (prefix: string): string => `do $$ declare statement text; begin
  for statement in select name from pg_prepared_statements where starts_with(name, '${prefix}') loop
    execute format('deallocate %I', statement);
  end loop; end $$`;

/** PostgreSQL protocol: 'Q', length, text, NUL. */
function encodeSimpleQuery(text: string): Uint8Array {
  const body = Buffer.from(`${text}\0`);
  const head = Buffer.alloc(5);
  head.write('Q');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}
