import type { Clock } from '../../platform/kernel/clock.ts';
import type { Db } from '../../platform/db/db.ts';
import { deleteVersions } from '../../clinical/store/resources.sql.ts';
import { TRAVERSAL_MS } from './record-snapshot.ts';

/** Deletes former versions of resources once no traversal can ask for them. */
export async function purgeVersions({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  await db.query(deleteVersions(new Date(clock.now().getTime() - TRAVERSAL_MS)));
}
