import type { Clock } from '../kernel/clock.ts';
import type { Db } from '../storage/db.ts';
import { deleteExpiredLinks, deleteExpiredSessions } from './accounts.sql.ts';

/** Forgets links and sessions that have expired; they are refused without it. */
export async function purgeAccounts({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  await db.query(deleteExpiredLinks(clock.now()));
  await db.query(deleteExpiredSessions(clock.now()));
}
