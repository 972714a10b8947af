import type { OrganizationId, ProjectId } from '../../../contract/brands.ts';
import type { UsageKind } from '../../../contract/organization/usage-kind.ts';
import type { Db, Tx } from '../db/db.ts';
import type { Clock } from '../kernel/clock.ts';
import { createGroupCommit } from '../kernel/group-commit.ts';
import { findDurationBucket, DURATION_BUCKETS_MS } from './duration-buckets.ts';
import { insertProgress, lockProgress, takeBackSums } from './usage-days.sql.ts';
import { addUsage, NO_PROJECT, type UsageRow } from './usage.sql.ts';

/** One use of the service by an organization. No field names a person. */
export interface Use {
  organizationId: OrganizationId;
  projectId?: ProjectId | null | undefined;
  kind: UsageKind;
  /** The tool, the endpoint, the type of event. */
  name: string;
  /** The OAuth client. */
  client?: string | null | undefined;
  outcome: 'success' | 'refused' | 'failed';
  durationMs?: number;
}

export interface Usage {
  /** Counts in memory; what is counted is in the store within ten seconds, and lost when the process is killed before. */
  count(use: Use): void;
  /** Adds what was counted to the store. */
  flush(): Promise<void>;
}

const FLUSH_MS = 10_000;
/** Longer than a flush takes, and shorter than a day waits to be summed after its end. */
const LATE_MS = 5 * 60_000;
const HOUR_MS = 3600 * 1000;

interface UsageDeps {
  db: Db;
  clock: Clock;
  onError(error: unknown): void;
}

/** Creates the counter of this node, whose timer runs only while something is counted. */
export function createUsage({ db, clock, onError }: UsageDeps): Usage {
  let counted = new Map<string, UsageRow>();
  let timer: NodeJS.Timeout | undefined;
  // One at a time: a flush that fails puts back what it took.
  const write = createGroupCommit<undefined>(async () => {
    clearTimeout(timer);
    timer = undefined;
    const taken = counted;
    counted = new Map();
    if (taken.size === 0) return;
    try {
      await addRows(
        db,
        [...taken].toSorted(byKey).map(([, row]) => row),
        clock.now(),
      );
    } catch (error) {
      for (const [key, row] of taken) merge(counted, key, row);
      throw error;
    }
  });
  const flush = (): Promise<void> => write(undefined);
  return {
    count(use) {
      const row = toRow(use, clock.now());
      merge(counted, toKey(row), row);
      timer ??= setTimeout(() => void flush().catch(onError), FLUSH_MS).unref();
    },
    flush,
  };
}

/**
 * Adds rows in one statement. Those of an hour that was over a while ago, since the store did not answer until now, may be of a
 * day that is summed: it is taken back in the same transaction, and summed anew.
 */
async function addRows(db: Db, rows: readonly UsageRow[], now: Date): Promise<void> {
  const isLate = ({ hour }: UsageRow): boolean => Date.parse(hour) + HOUR_MS + LATE_MS < now.getTime();
  const late = Map.groupBy(rows.filter(isLate), (row) => row.organization_id);
  if (late.size === 0) {
    await db.query(addUsage(rows));
    return;
  }
  await db.tx(async (tx) => {
    for (const [id, [first]] of late) await takeBackDays(tx, id as OrganizationId, first as UsageRow);
    await tx.query(addUsage(rows));
  });
}

/** Waits for whoever is summing, so that nothing is added beside. */
async function takeBackDays(tx: Tx, organizationId: OrganizationId, { hour }: UsageRow): Promise<void> {
  await tx.query(insertProgress(organizationId));
  await tx.query(lockProgress(organizationId));
  await tx.query(takeBackSums(organizationId, new Date(hour)));
}

/** Nodes add rows in one order, so that none waits for another that waits for it. */
const byKey = ([one]: [string, unknown], [other]: [string, unknown]): number => (one < other ? -1 : 1);

const toKey = (row: UsageRow): string =>
  [row.organization_id, row.hour, row.kind, row.name, row.project_id, row.client, row.outcome].join('\n');

function toRow(use: Use, now: Date): UsageRow {
  const buckets = DURATION_BUCKETS_MS.map(() => 0);
  const { durationMs } = use;
  if (durationMs !== undefined) buckets[findDurationBucket(durationMs)] = 1;
  return {
    organization_id: use.organizationId,
    hour: new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS).toISOString(),
    kind: use.kind,
    name: use.name,
    project_id: use.projectId ?? NO_PROJECT,
    client: use.client ?? '',
    outcome: use.outcome,
    count: 1,
    duration_ms_sum: Math.round(durationMs ?? 0),
    duration_buckets: buckets,
  };
}

function merge(into: Map<string, UsageRow>, key: string, row: UsageRow): void {
  const present = into.get(key);
  if (!present) {
    into.set(key, row);
    return;
  }
  present.count += row.count;
  present.duration_ms_sum += row.duration_ms_sum;
  row.duration_buckets.forEach((count, index) => {
    present.duration_buckets[index] = (present.duration_buckets[index] ?? 0) + count;
  });
}
