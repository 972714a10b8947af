import type { Duplex } from 'node:stream';
import type pg from 'pg';
import { readMonotonicMs } from '../kernel/clock.ts';
import { createOpenItems } from '../kernel/open-items.ts';
import { StoreError } from './store-error.ts';

/** Milliseconds. */
export interface WatchLimits {
  checkMs: number;
  /** How long a connection may give no answer until the server is asked, on another one, whether it lives. */
  silenceMs: number;
  /** How long the server has to answer that. */
  probeMs: number;
  /** How long a connection may give no answer at all; the server ends every statement before. */
  deadlineMs: number;
  /** How long connections have to end when the store is closed. */
  closeMs: number;
}

export const WATCH_LIMITS: WatchLimits = {
  checkMs: 500,
  silenceMs: 2_000,
  probeMs: 3_000,
  deadlineMs: 65_000,
  closeMs: 2_000,
};

/**
 * Watches over the answers of a server. `statement_timeout` is the server's: a server that is stopped, or behind a network
 * that drops packets, ends nothing, and every request would wait for ever.
 */
export interface ResponseWatch {
  /** Waits for a connection; throws StoreError when the server turns out to be away. What is opened later is handed to `discard`. */
  open<T>(opening: Promise<T>, discard?: (connection: T) => void): Promise<T>;
  /** Runs a statement on a connection, which is dropped when the server turns out to be away: the driver says so. */
  run<T>(client: pg.ClientBase, statement: () => Promise<T>): Promise<T>;
  /** Throws StoreError while the server does not answer: nothing waits for a connection to it. */
  requireAnswering(): void;
  /** Ends the watch; connections that have not ended a moment later are dropped. */
  close(end: () => Promise<unknown>): Promise<void>;
}

/** `createClient` makes the clients that ask whether the server lives; they have no time limit of their own. */
export function createResponseWatch(createClient: () => pg.Client, limits: WatchLimits): ResponseWatch {
  const tracker = createTracker();
  const closing = new AbortController();
  let isAnswering = true;
  let isProbing = false;

  async function probe(): Promise<void> {
    isProbing = true;
    const answer = await isServerAnswering(createClient(), limits.probeMs, closing.signal);
    isProbing = false;
    if (answer === null || closing.signal.aborted) return;
    isAnswering = answer;
    if (!answer) tracker.dropSilent(limits.silenceMs);
  }

  const timer = setInterval(() => {
    tracker.dropSilent(limits.deadlineMs);
    if (!isProbing && (!isAnswering || tracker.hasSilent(limits.silenceMs))) void probe();
  }, limits.checkMs).unref();

  return {
    open: tracker.open,
    run: tracker.run,
    requireAnswering() {
      if (!isAnswering) throw storeAway();
    },
    async close(end) {
      clearInterval(timer);
      closing.abort();
      const last = setTimeout(() => tracker.dropAll(), limits.closeMs);
      await end();
      clearTimeout(last);
    },
  };
}

/** A connection that is being opened, or is open. */
interface Watched {
  /** Those that it has to answer; to be opened is one. */
  statements: number;
  /** When it last answered, or began to be waited for. */
  since: number;
  /** Ends the wait. */
  drop(): void;
}

interface Tracker extends Pick<ResponseWatch, 'open' | 'run'> {
  hasSilent(ms: number): boolean;
  /** Drops the connections that are waited for and have given no answer for so long. */
  dropSilent(ms: number): void;
  dropAll(): void;
}

function createTracker(): Tracker {
  const openings = createOpenItems<Watched>();
  const connections = new Map<pg.ClientBase, Watched>();
  const list = (): Watched[] => [...openings, ...connections.values()];
  const findSilent = (ms: number): Watched[] => {
    const now = readMonotonicMs();
    return list().filter(({ statements, since }) => statements > 0 && now - since > ms);
  };
  function watch(client: pg.ClientBase): Watched {
    const drop = (): void => {
      connections.delete(client);
      destroyConnection(client);
    };
    const connection = { statements: 0, since: 0, drop };
    connections.set(client, connection);
    client.once('end', () => connections.delete(client));
    return connection;
  }

  return {
    hasSilent: (ms) => findSilent(ms).length > 0,
    dropSilent: (ms) => findSilent(ms).forEach(({ drop }) => drop()),
    dropAll: () => list().forEach(({ drop }) => drop()),
    async open(opening, discard) {
      const { promise: away, reject } = Promise.withResolvers<never>();
      const drop = (): void => {
        reject(storeAway());
        opening.then(discard, () => {});
      };
      const remove = openings.add({ statements: 1, since: readMonotonicMs(), drop });
      return Promise.race([opening, away]).finally(remove);
    },
    async run(client, statement) {
      const connection = connections.get(client) ?? watch(client);
      if (connection.statements++ === 0) connection.since = readMonotonicMs();
      try {
        return await statement();
      } finally {
        connection.since = readMonotonicMs();
        connection.statements--;
      }
    },
  };
}

const storeAway = (): StoreError => new StoreError('unchanged', new Error('no answer'));

/** Ends a connection without a word to the server, which would not read it. Its statements fail. */
export const destroyConnection = (client: pg.ClientBase): void => void getStream(client).destroy();

/** The stream of a connection, which the driver's types do not say. */
export const getStream = (client: pg.ClientBase): Duplex =>
  (client as unknown as { connection: { stream: Duplex } }).connection.stream;

/**
 * Opens a connection and runs a statement. An error of the server, or of the network, is an answer: statements that wait
 * for it fail by themselves. Null when this process was too busy to read an answer, or asks no more.
 */
async function isServerAnswering(
  client: pg.Client,
  ms: number,
  signal: AbortSignal,
): Promise<boolean | null> {
  client.on('error', () => {});
  const { promise: expired, resolve } = Promise.withResolvers<false | null>();
  const dueAt = readMonotonicMs() + ms;
  const timer = setTimeout(() => resolve(readMonotonicMs() > dueAt + ms / 2 ? null : false), ms);
  signal.addEventListener('abort', () => resolve(null));
  const answered = client
    .connect()
    .then(() => client.query('select 1'))
    .then(
      () => true,
      () => true,
    );
  const answer = await Promise.race([answered, expired]);
  clearTimeout(timer);
  destroyConnection(client);
  return answer;
}

/** For the embedded engine, which lives and dies with this process. */
export const UNWATCHED: ResponseWatch = {
  open: (opening) => opening,
  run: (_client, statement) => statement(),
  requireAnswering: () => {},
  close: async (end) => void (await end()),
};
