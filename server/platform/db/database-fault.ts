import pg from 'pg';
import { describeDatabaseUrl, parseDatabaseUrls } from './database-urls.ts';
import { StoreError } from './store-error.ts';

/** Why a connection fails, in plain words, by the code of the system (errno) or of PostgreSQL (SQLSTATE). */
const REASONS: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'nothing listens there'],
  ['ENOENT', 'there is no socket of this name'],
  ['EACCES', 'this user may not open it'],
  ['ENOTFOUND', 'there is no host of this name'],
  ['EAI_AGAIN', 'the name of the host cannot be resolved now'],
  ['ETIMEDOUT', 'the host does not answer'],
  ['EHOSTUNREACH', 'the host cannot be reached'],
  ['ECONNRESET', 'the connection was closed'],
  ['28P01', 'the password is wrong'],
  ['28000', 'the user may not connect'],
  ['3D000', 'there is no database of this name'],
  ['53300', 'the server has no connection left'],
  ['57P03', 'the server is starting up'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'its certificate is not trusted'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'its certificate is not trusted'],
  [
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'its certificate is not trusted: it, or the server, lacks the intermediate one',
  ],
  ['CERT_HAS_EXPIRED', 'its certificate has expired'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'its certificate is for another name'],
]);

/** Errors of the driver that have no code, by their text. */
const REASONS_BY_TEXT: readonly (readonly [RegExp, string])[] = [
  [/timeout/i, 'the host does not answer'],
  [/password must be/i, 'it asks for a password'],
  [/does not support SSL/i, 'it does not speak TLS'],
  [/certificate has expired/i, 'its certificate has expired'],
  [/certificate is not yet valid/i, 'its certificate is not valid yet'],
  [/does not match certificate/i, 'its certificate is for another name'],
  [
    /self.signed certificate|unable to (verify|get) .*(certificate|issuer)/i,
    'its certificate is not trusted',
  ],
  [/terminated unexpectedly/i, 'the connection was closed'],
];

/** Returns a sentence for an error of connecting, which names host, port and database, and never user or password. */
function describeFault(databaseUrl: string, error: unknown): string {
  const { server, database } = describeDatabaseUrl(databaseUrl);
  const where = `${database || 'the database'} at ${server}`;
  const advice = findCode(error) === TOO_MANY ? `; ${MORE_CONNECTIONS}` : '';
  return `DATABASE_URL must name a PostgreSQL that answers: ${where} does not, because ${explainConnectionError(error)}${advice}`;
}

const TOO_MANY = '53300';
const MORE_CONNECTIONS =
  'each process of the service opens up to 19: raise "connection limit" of the role and of the database, or max_connections';

/** The same for a store that answered, and went away, or let in no more, while the service started; null for any other error. */
export const describeStoreError = (databaseUrl: string, error: unknown): string | null =>
  error instanceof StoreError && error.outcome !== 'full' ? describeFault(databaseUrl, error) : null;

/** Returns why a connection failed, in plain words, with the code that the system or PostgreSQL gave it. */
export function explainConnectionError(error: unknown): string {
  const code = findCode(error);
  const text = error instanceof Error ? error.message : '';
  const reason =
    REASONS.get(code ?? '') ??
    REASONS_BY_TEXT.find(([pattern]) => pattern.test(text))?.[1] ??
    'the connection fails';
  return `${reason}${code === null ? '' : ` (${code})`}`;
}

/** An attempt at several addresses fails with an error that holds one for each. */
function findCode(error: unknown): string | null {
  const { code, cause, errors } = (error ?? {}) as { code?: unknown; cause?: unknown; errors?: unknown[] };
  if (typeof code === 'string' && REASONS.has(code)) return code;
  for (const inner of [...(errors ?? []), ...(cause === undefined ? [] : [cause])]) {
    const found = findCode(inner);
    if (found !== null) return found;
  }
  // A library that wraps the error of a socket in one with a code of its own keeps the sentence.
  const [named] = /\bE[A-Z]{4,}\b/.exec(error instanceof Error ? error.message : '') ?? [];
  if (named !== undefined && REASONS.has(named)) return named;
  return typeof code === 'string' ? code : null;
}

interface Rights {
  schema: string | null;
  is_read_only: boolean;
  may_create: boolean | null;
}

/** Returns a sentence where the server answers, and the service cannot write there or make its tables. */
async function findMissingRight(databaseUrl: string, client: pg.Client): Promise<string | null> {
  const { rows } = await client.query<Rights>(`select current_schema() as schema,
    pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as is_read_only,
    has_schema_privilege(current_schema(), 'create') and (
      has_database_privilege(current_database(), 'create')
      or (select count(*) = 2 from pg_extension where extname in ('btree_gin', 'pg_trgm'))) as may_create`);
  const [rights] = rows;
  const { database: name } = describeDatabaseUrl(databaseUrl);
  if (rights?.is_read_only === true)
    return `DATABASE_URL must name a PostgreSQL that takes writes: ${name} is that of a standby, or read-only for this role`;
  return rights?.may_create === true
    ? null
    : `DATABASE_URL must name a role that may make tables and extensions: make it the owner of the database ${name}, or "grant create on database ${name} to" it and "grant usage, create on schema ${rights?.schema ?? 'public'} to" it`;
}

const TIMEOUT_MS = 5000;

/** Connects once to each host; returns null where one answers, else a sentence about the first. */
export async function findDatabaseFault(databaseUrl: string): Promise<string | null> {
  const faults = await Promise.all(parseDatabaseUrls(databaseUrl).map(findFault));
  return faults.includes(null) ? null : (faults[0] ?? null);
}

async function findFault(databaseUrl: string): Promise<string | null> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: TIMEOUT_MS });
  try {
    await client.connect();
    return await findMissingRight(databaseUrl, client);
  } catch (error) {
    return describeFault(databaseUrl, error);
  } finally {
    await client.end().catch(() => {});
  }
}
