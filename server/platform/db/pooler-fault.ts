import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { SESSION_SETTINGS } from './connect.ts';
import { describeDatabaseUrl, parseDatabaseUrls } from './database-urls.ts';

const TIMEOUT_MS = 5000;

/** How long a statement may wait for a connection that the pooler has given to another client. */
const WAIT_MS = 2000;

/** Transactions that are held open beside a session, until the pooler has to give it another connection if it ever does. */
const MAX_HELD = 5;

/**
 * Returns a sentence for the operator where a pooler stands before PostgreSQL that does not keep a client its connection, or its
 * settings; null where none does, and where nothing answers, which is found without this.
 */
export async function findPoolerFault(databaseUrl: string): Promise<string | null> {
  for (const url of parseDatabaseUrls(databaseUrl)) {
    const fault = await findFault(url).catch(() => null);
    if (fault !== null) return fault;
  }
  return null;
}

async function findFault(url: string): Promise<string | null> {
  const { server: where } = describeDatabaseUrl(url);
  const role = decodeURIComponent(new URL(url).username) || 'the role of the service';
  return withClient({ connectionString: url }, async (session) => {
    const pid = await findBackend(session);
    // A pooler makes up the process that it names to a client when that connects.
    if ((session as pg.Client & { processID: number }).processID === pid) return null;
    if (await hasOtherBackend(session, { url, pid, held: 0 }))
      return `DATABASE_URL must name PostgreSQL itself, or a pooler in session mode: ${where} gives each transaction another connection (PgBouncer: pool_mode = transaction), on which prepared statements, locks and settings are lost`;
    return (await keepsSettings(url))
      ? null
      : `DATABASE_URL names a pooler that drops what connections are set to: at ${where} give PgBouncer "ignore_startup_parameters = options,statement_timeout", and in PostgreSQL "alter role ${role} set plan_cache_mode = force_generic_plan", "… set jit = off" and "… set statement_timeout = '60s'"`;
  });
}

/** Says whether the session loses its connection, or has to wait for one, while others are in a transaction. */
async function hasOtherBackend(
  session: pg.Client,
  { url, pid, held }: { url: string; pid: number; held: number },
): Promise<boolean> {
  if (held === MAX_HELD) return false;
  return withClient({ connectionString: url }, async (other) => {
    // One that pools by statement refuses to begin.
    const backend = await other.query('begin').then(
      () => findBackend(other),
      () => pid,
    );
    if (backend === pid) return true;
    const now = await Promise.race([findBackend(session), sleep(WAIT_MS, null, { ref: false })]);
    return now !== pid || hasOtherBackend(session, { url, pid, held: held + 1 });
  });
}

async function keepsSettings(url: string): Promise<boolean> {
  const wanted = { connectionString: url, options: SESSION_SETTINGS, statement_timeout: 60_000 };
  try {
    return await withClient(wanted, async (client) => {
      const { rows } = await client.query<{ kept: boolean }>(`
        select current_setting('plan_cache_mode') = 'force_generic_plan' and current_setting('jit') = 'off'
          and current_setting('statement_timeout') <> '0' as kept`);
      return rows[0]?.kept === true;
    });
  } catch (error) {
    // unsupported startup parameter
    if (error instanceof pg.DatabaseError && error.code === '08P01') return false;
    throw error;
  }
}

async function findBackend(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid ?? 0;
}

async function withClient<T>(config: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ ...config, connectionTimeoutMillis: TIMEOUT_MS });
  client.on('error', () => {});
  try {
    await client.connect();
    return await work(client);
  } finally {
    // One that still waits would wait for this.
    void client.end().catch(() => {});
  }
}
