import type { Clock } from '../kernel/clock.ts';
import type { Db } from '../storage/db.ts';
import { deleteVersions } from './record.sql.ts';
import { TRAVERSAL_MS } from './whole-record.ts';

/** Forgets what resources were before they changed, once no traversal can ask for it. */
export async function purgeVersions({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  await db.query(deleteVersions(new Date(clock.now().getTime() - TRAVERSAL_MS)));
}
