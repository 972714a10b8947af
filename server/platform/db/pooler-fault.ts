import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { describeDatabaseUrl, parseDatabaseUrls } from './database-urls.ts';
import { isSessionSetting, SESSION_SETTINGS, withSessionSettings } from './session-settings.ts';

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
    const lost = await findLostSettings(url);
    return lost === null ? null : describeLostSettings(lost, { where, role });
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

interface LostSettings {
  /** The pooler refuses what a connection asks for when it begins. */
  isRefused: boolean;
  /** What PostgreSQL has otherwise for this role, with the value that it should have. */
  settings: [name: string, value: string][];
}

const WANTED: Readonly<Record<string, string>> = { ...SESSION_SETTINGS, statement_timeout: '60s' };

const describeLostSettings = (
  { isRefused, settings }: LostSettings,
  { where, role }: { where: string; role: string },
): string =>
  [
    `DATABASE_URL names a pooler that drops what connections are set to: at ${where} give PgBouncer "ignore_startup_parameters = options,statement_timeout"`,
    ...(isRefused && settings.length === 0 ? [] : [', and in PostgreSQL ']),
    settings.map(([name, value]) => `"alter role ${role} set ${name} = '${value}'"`).join(', '),
    // It gives new clients what the first connection of its pool had, also after the role has other settings; RELOAD alone keeps that.
    '; then restart PgBouncer, or give its console RELOAD and RECONNECT',
  ].join('');

/** Returns null where a session has all that it is to be set to. */
async function findLostSettings(url: string): Promise<LostSettings | null> {
  const wanted = { connectionString: withSessionSettings(url), statement_timeout: 60_000 };
  try {
    const settings = await withClient(wanted, listOtherSettings);
    return settings.length === 0 ? null : { isRefused: false, settings };
  } catch (error) {
    // unsupported startup parameter
    if (!(error instanceof pg.DatabaseError) || error.code !== '08P01') throw error;
    return { isRefused: true, settings: await withClient({ connectionString: url }, listOtherSettings) };
  }
}

async function listOtherSettings(client: pg.Client): Promise<[name: string, value: string][]> {
  const { rows } = await client.query<{ name: string; value: string }>(
    'select name, current_setting(name) as value from unnest($1::text[]) as wanted(name)',
    [Object.keys(WANTED)],
  );
  const others = rows.filter(({ name, value }) =>
    name === 'statement_timeout' ? value === '0' : !isSessionSetting(name, value),
  );
  return others.map(({ name }) => [name, WANTED[name] ?? '']);
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
