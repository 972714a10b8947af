import type { Db } from '../../platform/db/db.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { deleteVersions } from './resources.sql.ts';

/** For how long the state of a resource before a change is kept. */
export const VERSION_RETENTION_MS = 24 * 3600 * 1000;

/** Deletes earlier states of resources once no traversal of a record can request them. */
export async function purgeVersions({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  await db.query(deleteVersions(new Date(clock.now().getTime() - VERSION_RETENTION_MS)));
}
