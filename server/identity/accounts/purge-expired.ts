import type { Clock } from '../../platform/kernel/clock.ts';
import type { Db } from '../../platform/db/db.ts';
import { deleteExpiredLinks, deleteExpiredSessions } from './accounts.sql.ts';
import { deleteExpiredChallenges } from './passkeys/passkeys.sql.ts';

/** Forgets links, sessions and challenges that have expired; they are refused without it. */
export async function purgeExpiredAccountData({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  await db.query(deleteExpiredLinks(clock.now()));
  await db.query(deleteExpiredSessions(clock.now()));
  await db.query(deleteExpiredChallenges(clock.now()));
}
