import type { Db } from '../../server/platform/db/db.ts';
import { one } from '../../server/platform/db/db.ts';
import {
  selectArchiver,
  selectOwnConnection,
  selectServerSettings,
  type ServerSettingsRow,
} from '../../server/platform/db/inspect.sql.ts';
import { findDeadLetters, selectWaitingKinds } from '../../server/platform/jobs/jobs.sql.ts';
import { failed, ok, warning, type Finding } from './finding.ts';

/** Two nodes, each with its pools and a thread for imports, and somebody who looks. */
const MIN_CONNECTIONS = 60;

const STALE_JOB_MS = 10 * 60_000;
const ARCHIVE_MS = 24 * 3_600_000;

/** Checks the database's settings, its connection, its archive and the queue. */
export async function checkStore(db: Db, now: Date): Promise<Finding[]> {
  return [
    ...(db.engine === 'postgresql' ? await checkServer(db, now) : [ok('database', 'The store is embedded.')]),
    ...(await checkQueue(db, now)),
  ];
}

async function checkServer(db: Db, now: Date): Promise<Finding[]> {
  const settings = await one(db, selectServerSettings());
  const [connection] = await db.query(selectOwnConnection());
  const found = [
    ...checkDurability(settings),
    ...(connection && !connection.ssl && !connection.is_local
      ? [
          failed(
            'database',
            'The connection to the database is not encrypted, and the server is another machine.',
            'Add sslmode=verify-full to DATABASE_URL, and a certificate to the server.',
          ),
        ]
      : []),
  ];
  const version = `PostgreSQL ${Math.floor(settings.version / 10_000)}.${settings.version % 10_000}`;
  return [
    ...(found.length === 0 ? [ok('database', `${version}, and it keeps what it acknowledges.`)] : found),
    await checkArchive(db, settings, now),
  ];
}

function checkDurability(settings: ServerSettingsRow): Finding[] {
  const found: Finding[] = [];
  const add = (detail: string, remedy: string): void => void found.push(failed('database', detail, remedy));
  if (settings.version < 150_000) add('PostgreSQL is older than 15.', 'Upgrade it.');
  if (settings.is_standby)
    add(
      'DATABASE_URL names a standby, which takes no writes.',
      'Name the primary, or the proxy in front of it.',
    );
  for (const name of ['fsync', 'full_page_writes'] as const)
    if (settings[name] !== 'on')
      add(`${name} is off: a power cut loses or damages what was acknowledged.`, `Set ${name} = on.`);
  if (settings.synchronous_commit === 'off')
    add(
      'synchronous_commit is off: a crash loses withdrawals that were acknowledged.',
      'Set synchronous_commit = on.',
    );
  if (settings.encoding !== 'UTF8')
    add(
      `The database has the encoding ${settings.encoding}.`,
      'Create it with the encoding UTF8, and restore a backup.',
    );
  if (settings.data_checksums !== 'on')
    found.push(
      warning(
        'database',
        'Pages have no checksums: a failing disk is noticed late.',
        'Run pg_checksums --enable while the server is stopped.',
      ),
    );
  if (settings.max_connections < MIN_CONNECTIONS)
    found.push(
      warning(
        'database',
        `max_connections is ${settings.max_connections}; two nodes take ${MIN_CONNECTIONS} at their busiest.`,
        `Set max_connections to ${MIN_CONNECTIONS} or more.`,
      ),
    );
  return found;
}

async function checkArchive(db: Db, { archive_mode: mode }: ServerSettingsRow, now: Date): Promise<Finding> {
  const RECOVERY = 'docs/operations.md says what point-in-time recovery keeps that a daily backup loses.';
  if (mode === 'off')
    return warning(
      'archive',
      'The server archives no log: what came after the last backup cannot be restored.',
      RECOVERY,
    );
  const { last_archived_time: last, is_failing: isFailing } = await one(db, selectArchiver());
  if (isFailing)
    return failed('archive', 'archive_command fails: the log is not archived.', "Look at the server's log.");
  return last !== null && now.getTime() - last.getTime() < ARCHIVE_MS
    ? ok('archive', `The log was last archived at ${last.toISOString()}.`)
    : warning(
        'archive',
        'No log was archived for a day.',
        "Set archive_timeout, and look at the server's log.",
      );
}

async function checkQueue(db: Db, now: Date): Promise<Finding[]> {
  const dead = await db.query(findDeadLetters());
  const waiting = await db.query(selectWaitingKinds(new Date(now.getTime() - STALE_JOB_MS)));
  const found = [
    ...(dead.length === 0
      ? []
      : [
          warning(
            'jobs',
            `${dead.length} background jobs were given up.`,
            'npx chartgate jobs lists them with their errors; npx chartgate jobs retry lets them begin anew.',
          ),
        ]),
    ...waiting.map(({ kind }) =>
      warning(
        'jobs',
        `A job of the kind ${kind} has waited for more than ten minutes.`,
        'Start a node, or another one beside those that run.',
      ),
    ),
  ];
  return found.length === 0 ? [ok('jobs', 'No job waits long, and none was given up.')] : found;
}
