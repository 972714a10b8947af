import { findDanglingIds, type NamedIds } from '../../identity/organizations/find-dangling-ids.ts';
import type { Db } from '../../platform/db/db.ts';
import { one } from '../../platform/db/db.ts';
import {
  selectArchiver,
  selectOwnConnection,
  selectServerSettings,
  type ServerSettingsRow,
} from '../../platform/db/inspect.sql.ts';
import { findDeadLetters, selectWaitingKinds } from '../../platform/jobs/jobs.sql.ts';
import { createFinding, type Finding } from './finding.ts';

/** Two nodes, each with its pools and a thread for imports, and somebody who looks. */
const MIN_CONNECTIONS = 60;

const STALE_JOB_MS = 10 * 60_000;
const ARCHIVE_MS = 24 * 3_600_000;

/** Checks the database's settings, its connection, its archive and its space, whatever is in it. */
export async function checkEngine(db: Db, now: Date): Promise<Finding[]> {
  return [
    ...(db.engine === 'postgresql' ? await checkServer(db, now) : [createFinding('store_embedded')]),
    createFinding(SPACE_FINDINGS[await db.measureCapacity()]),
  ];
}

/** Checks the queue, and whether the store has what settings name. */
export const checkStore = async (db: Db, named: NamedIds, now: Date): Promise<Finding[]> => [
  ...(await checkNamedIds(db, named)),
  ...(await checkQueue(db, now)),
];

const SPACE_FINDINGS = { ample: 'space_ok', low: 'space_low', full: 'space_full' } as const;

async function checkNamedIds(db: Db, named: NamedIds): Promise<Finding[]> {
  const { settings } = await findDanglingIds(db, named);
  return settings.map((name) => createFinding('id_unknown', { name }));
}

async function checkServer(db: Db, now: Date): Promise<Finding[]> {
  const settings = await one(db, selectServerSettings());
  const [connection] = await db.query(selectOwnConnection());
  const found = [
    ...checkDurability(settings),
    ...(connection && !connection.ssl && !connection.is_local ? [createFinding('database_unencrypted')] : []),
  ];
  const version = `${Math.floor(settings.version / 10_000)}.${settings.version % 10_000}`;
  return [
    ...(found.length === 0 ? [createFinding('database_ok', { version })] : found),
    await checkArchive(db, settings, now),
  ];
}

function checkDurability(settings: ServerSettingsRow): Finding[] {
  const { max_connections: count, encoding } = settings;
  return [
    ...(settings.version < 150_000 ? [createFinding('database_old')] : []),
    ...(settings.is_standby ? [createFinding('database_standby')] : []),
    ...(['fsync', 'full_page_writes'] as const)
      .filter((name) => settings[name] !== 'on')
      .map((name) => createFinding('durability_off', { name })),
    ...(settings.synchronous_commit === 'off' ? [createFinding('commit_not_synchronous')] : []),
    ...(encoding === 'UTF8' ? [] : [createFinding('encoding_wrong', { encoding })]),
    ...(settings.data_checksums === 'on' ? [] : [createFinding('no_checksums')]),
    ...(count < MIN_CONNECTIONS
      ? [createFinding('few_connections', { count, minimum: MIN_CONNECTIONS })]
      : []),
  ];
}

async function checkArchive(db: Db, { archive_mode: mode }: ServerSettingsRow, now: Date): Promise<Finding> {
  if (mode === 'off') return createFinding('no_archive');
  const { last_archived_time: last, is_failing: isFailing } = await one(db, selectArchiver());
  if (isFailing) return createFinding('archive_failing');
  return last !== null && now.getTime() - last.getTime() < ARCHIVE_MS
    ? createFinding('archive_ok', { time: last.toISOString() })
    : createFinding('archive_old');
}

async function checkQueue(db: Db, now: Date): Promise<Finding[]> {
  const { length: count } = await db.query(findDeadLetters());
  const waiting = await db.query(selectWaitingKinds(new Date(now.getTime() - STALE_JOB_MS)));
  const found = [
    ...(count === 0 ? [] : [createFinding('jobs_parked', { count })]),
    ...waiting.map(({ kind }) => createFinding('jobs_waiting', { kind })),
  ];
  return found.length === 0 ? [createFinding('jobs_ok')] : found;
}
