import type { Clock } from '../../../platform/kernel/clock.ts';
import type { Db } from '../../../platform/db/db.ts';
import { deleteOrphans } from './blobs.sql.ts';

/** An upload may take an hour to arrive; a day is beyond any that goes on. */
const ORPHAN_AGE_MS = 24 * 3600 * 1000;

/** Deletes the bytes of uploads that were killed before they were acknowledged, which count against nobody's quota for ever. */
export async function purgeOrphans({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  await db.query(deleteOrphans(buildFirstId(clock.now().getTime() - ORPHAN_AGE_MS)));
}

/** Builds the smallest id of a millisecond: ids begin with their time (RFC 9562, version 7). */
function buildFirstId(ms: number): string {
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}
