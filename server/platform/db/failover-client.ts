import pg from 'pg';
import { createCoalescer } from '../kernel/coalesce.ts';
import { destroyConnection } from './response-watch.ts';
import { StoreError } from './store-error.ts';

/** How long a server has to say what it is while the primary is looked for. */
const PROBE_MS = 3_000;

interface Server {
  host: string;
  port: number;
}

export interface Failover {
  Client: typeof pg.Client;
  /** Has the next connection ask again which server takes writes. */
  forgetPrimary(): void;
}

/**
 * Creates a class of clients that connect to whichever of several servers takes writes. All of them are asked at once when it
 * is not known, or when a connection to it was lost: a standby that was promoted is found by the first connection after. What
 * is still connected to another one is ended then: a server that has hung would be waited for, and one that comes back take
 * writes that nobody will see.
 */
export function createFailover(urls: readonly string[]): Failover {
  let primary: Server | null = null;
  const open = new Set<pg.Client>();
  const search = createCoalescer(async () => {
    const found = (primary = await findPrimary(urls));
    for (const client of open) if (!isAt(client, found)) destroyConnection(client);
    return found;
  });
  class FailoverClient extends pg.Client {
    #isEnding = false;

    constructor(config?: pg.ClientConfig) {
      super({ ...config, connectionString: urls[0] ?? '' });
      // The end of a connection to a former primary says nothing of that of now.
      const forget = (): void => {
        if (!this.#isEnding && primary !== null && isAt(this, primary)) primary = null;
      };
      this.on('error', forget);
      this.on('end', () => {
        open.delete(this);
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
      const { host, port } = primary ?? (await search.run('primary'));
      Object.assign(this, { host, port });
      open.add(this);
      try {
        await super.connect();
      } catch (error) {
        open.delete(this);
        if (primary !== null && isAt(this, primary)) primary = null;
        throw error;
      }
      return this;
    }
  }
  return { Client: FailoverClient, forgetPrimary: () => void (primary = null) };
}

const isAt = ({ host, port }: pg.Client, server: Server): boolean =>
  host === server.host && port === server.port;

/** Resolves with the first server that answers and takes writes. */
async function findPrimary(urls: readonly string[]): Promise<Server> {
  try {
    return await Promise.any(urls.map(requirePrimary));
  } catch (error) {
    throw new StoreError('unchanged', error);
  }
}

async function requirePrimary(connectionString: string): Promise<Server> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: PROBE_MS });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ is_read_only: boolean }>({
      text: "select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as is_read_only",
      query_timeout: PROBE_MS,
    } as pg.QueryConfig);
    if (rows[0]?.is_read_only !== false) throw new Error('it takes no writes');
    return { host: client.host, port: client.port };
  } finally {
    void client.end().catch(() => {});
  }
}
