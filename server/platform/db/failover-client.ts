import pg from 'pg';
import { createCoalescer } from '../kernel/coalesce.ts';
import { destroyConnection } from './response-watch.ts';
import { StoreError } from './store-error.ts';

/** How long a server has to say what it is while the primary is looked for. */
const PROBE_MS = 3_000;

interface Server {
  host: string;
  port: number;
  /** When it started: the same server may be behind two addresses. */
  startedAt: string;
}

export interface Failover {
  Client: typeof pg.Client;
  /** Has the next connection ask again which server takes writes. */
  forgetPrimary(): void;
}

interface FailoverState {
  /** null: it has to be looked for. */
  primary: Server | null;
  /** Connections, also those that are being opened. */
  open: Set<pg.Client>;
}

/**
 * Creates a class of clients that connect to whichever of several servers takes writes. All of them are asked at once when it
 * is not known, or when a connection to it was lost: a standby that was promoted is found by the first connection after. What
 * is still connected to another one is ended then, once that has not answered either or turned out to be another server: one that
 * has hung would be waited for, and one that comes back take writes that nobody will see.
 */
export function createFailover(urls: readonly string[]): Failover {
  const state: FailoverState = { primary: null, open: new Set() };
  const search = createCoalescer(async () => {
    const probes = urls.map(requirePrimary);
    const found = (state.primary = await takeFirst(probes));
    void endOthers(state, { found, probes });
    return found;
  });
  class FailoverClient extends pg.Client {
    #isEnding = false;

    constructor(config?: pg.ClientConfig) {
      super({ ...config, connectionString: urls[0] ?? '' });
      const forget = (): void => {
        if (!this.#isEnding) forgetServer(state, this);
      };
      this.on('error', forget);
      this.on('end', () => {
        state.open.delete(this);
        forget();
      });
    }

    override connect(): Promise<pg.Client>;
    override connect(callback: (error: Error | null, client?: pg.Client) => void): void;
    override connect(callback?: (error: Error | null, client?: pg.Client) => void): unknown {
      const connected = this.#connectToPrimary();
      if (!callback) return connected;
      connected.then((client) => callback(null, client), callback);
      return undefined;
    }

    override end(...args: []): Promise<void> {
      this.#isEnding = true;
      return super.end(...args);
    }

    async #connectToPrimary(): Promise<this> {
      const server = state.primary ?? (await search.run('primary'));
      Object.assign(this, { host: server.host, port: server.port });
      state.open.add(this);
      try {
        await super.connect();
      } catch (error) {
        state.open.delete(this);
        forgetServer(state, this);
        throw error;
      }
      return this;
    }
  }
  return { Client: FailoverClient, forgetPrimary: () => void (state.primary = null) };
}

/** Has the primary looked for anew where a client of it was lost: the end of a connection to a former one says nothing of it. */
function forgetServer(state: FailoverState, client: pg.Client): void {
  if (state.primary !== null && isAt(client, state.primary)) state.primary = null;
}

/** Ends what is connected to an address that does not answer, or leads to another server than the one that was found. */
async function endOthers(
  state: FailoverState,
  { found, probes }: { found: Server; probes: readonly Promise<Server>[] },
): Promise<void> {
  const answers = await Promise.allSettled(probes);
  const same = answers.flatMap((answer) =>
    answer.status === 'fulfilled' && answer.value.startedAt === found.startedAt ? [answer.value] : [],
  );
  // Another one was found since.
  if (state.primary !== null && state.primary !== found) return;
  for (const client of state.open)
    if (!same.some((server) => isAt(client, server))) destroyConnection(client);
}

const isAt = ({ host, port }: pg.Client, server: Server): boolean =>
  host === server.host && port === server.port;

/** Resolves with the first server that answers and takes writes. */
async function takeFirst(probes: readonly Promise<Server>[]): Promise<Server> {
  try {
    return await Promise.any(probes);
  } catch (error) {
    throw new StoreError('unchanged', error);
  }
}

async function requirePrimary(connectionString: string): Promise<Server> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: PROBE_MS });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ is_read_only: boolean; started_at: string }>({
      text: `select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as is_read_only,
        pg_postmaster_start_time()::text as started_at`,
      query_timeout: PROBE_MS,
    } as pg.QueryConfig);
    const [row] = rows;
    if (row?.is_read_only !== false) throw new Error('it takes no writes');
    return { host: client.host, port: client.port, startedAt: row.started_at };
  } finally {
    void client.end().catch(() => {});
  }
}
