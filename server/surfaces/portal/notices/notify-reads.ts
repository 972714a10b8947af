import type { OrganizationId } from '../../../../contract/brands.ts';
import { selectPeople } from '../../../identity/patients/patients.sql.ts';
import {
  ORGANIZATION_READER,
  selectReadsOfBlocks,
  type ReadsRow,
} from '../../../platform/audit/reads.sql.ts';
import { one, type Db, type Tx } from '../../../platform/db/db.ts';
import type { Jobs } from '../../../platform/jobs/worker.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { enqueueNoticeMail } from './notice-mail.ts';
import * as statements from './notices.sql.ts';
import { isUnusualVolume, MIN_UNUSUAL_READS, USUAL_DAYS } from './unusual-volume.ts';

const DAY_MS = 24 * 3600 * 1000;

/** At most 20,000 entries: a block holds a thousand. */
const MAX_BLOCKS = 20;

export interface NotifyDeps {
  db: Db;
  clock: Clock;
  jobs: Jobs;
}

/**
 * Counts what was read since the last time and notices the first read of a client and an unusual volume. It goes through
 * the sealed log, block by block, so that no call of a tool does anything for it, an entry that was committed late is not
 * passed over, and each is counted once: counts, notices, mails and progress are one transaction.
 */
export async function notifyReads(deps: NotifyDeps, signal: AbortSignal): Promise<void> {
  for (const { organization_id: organizationId } of await deps.db.query(statements.selectUncountedLogs())) {
    for (let hasMore = true; hasMore;) {
      signal.throwIfAborted();
      hasMore = await deps.db.tx((tx) => countBlocks(tx, deps, organizationId));
    }
  }
}

/** Returns whether the log has more blocks. */
async function countBlocks(tx: Tx, deps: NotifyDeps, organizationId: OrganizationId): Promise<boolean> {
  const { block: after, newest } = await one(tx, statements.lockProgress(organizationId));
  const last = newest ?? 0;
  const upTo = Math.min(last, after + MAX_BLOCKS);
  if (upTo <= after) return false;
  const reads = await findReadsOfPeople(tx, organizationId, { after, upTo });
  if (reads.length > 0) {
    const totals = await tx.query(statements.addReadCounts(reads));
    await noticeFirstReads(tx, deps, reads);
    await noticeUnusualVolumes(tx, deps, totals);
  }
  await tx.query(statements.advanceProgress(organizationId, upTo));
  return upTo < last;
}

/** The log goes on naming those who were deleted; test patients have no mailbox. */
async function findReadsOfPeople(
  tx: Tx,
  organizationId: OrganizationId,
  blocks: { after: number; upTo: number },
): Promise<ReadsRow[]> {
  const reads = await tx.query(selectReadsOfBlocks(organizationId, blocks));
  if (reads.length === 0) return [];
  const named = [...new Set(reads.map((row) => row.patient_id))];
  const people = new Set((await tx.query(selectPeople(named))).map((row) => row.patient_id));
  return reads.filter((row) => people.has(row.patient_id));
}

const isClient = ({ reader }: { reader: string }): boolean => reader !== ORGANIZATION_READER;

async function noticeFirstReads(tx: Tx, { jobs }: NotifyDeps, reads: readonly ReadsRow[]): Promise<void> {
  // The hours of a reader are in order: of several, the first counts.
  const first = new Map(
    reads
      .filter(isClient)
      .toReversed()
      .map((row) => [`${row.patient_id} ${row.reader}`, row]),
  );
  const events = [...first.values()].map(({ patient_id: patientId, reader: event, first_at: at }) => ({
    patientId,
    event,
    at,
  }));
  await noticeEach(tx, jobs, { kind: 'first_read', events });
}

async function noticeUnusualVolumes(
  tx: Tx,
  { jobs }: NotifyDeps,
  totals: readonly Omit<ReadsRow, 'first_at'>[],
): Promise<void> {
  const events: statements.NoticedEvent[] = [];
  for (const row of totals) {
    if (!isClient(row) || row.reads < MIN_UNUSUAL_READS) continue;
    const { patient_id: patientId, reader, hour, reads } = row;
    const from = new Date(hour.getTime() - USUAL_DAYS * DAY_MS);
    const { usual } = await one(
      tx,
      statements.selectUsualReads({ patientId, reader }, { from, until: hour }),
    );
    // At most one mail a day about a client.
    const event = `${reader} ${hour.toISOString().slice(0, 10)}`;
    if (isUnusualVolume(reads, usual)) events.push({ patientId, event, at: hour });
  }
  await noticeEach(tx, jobs, { kind: 'unusual_volume', events });
}

/** Notes events and enqueues a mail about each that is new. */
export async function noticeEach(
  tx: Tx,
  jobs: Jobs,
  { kind, events }: { kind: statements.NoticedKind; events: readonly statements.NoticedEvent[] },
): Promise<void> {
  if (events.length === 0) return;
  for (const row of await tx.query(statements.insertNotices(kind, events)))
    await enqueueNoticeMail(tx, jobs, {
      patientId: row.patient_id,
      kind,
      event: row.event,
      at: row.noticed_at.toISOString(),
    });
}
