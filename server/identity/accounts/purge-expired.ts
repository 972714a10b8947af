import type { Clock } from '../../platform/kernel/clock.ts';
import type { Db } from '../../platform/db/db.ts';
import { deleteExpiredLinks, deleteExpiredSessions } from './accounts.sql.ts';
import { deleteExpiredChallenges } from './passkeys/passkeys.sql.ts';

/** Deletes links, sessions and challenges that have expired, which are refused anyway. */
export async function purgeExpiredAccountData({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  await db.query(deleteExpiredLinks(clock.now()));
  await db.query(deleteExpiredSessions(clock.now()));
  await db.query(deleteExpiredChallenges(clock.now()));
}
