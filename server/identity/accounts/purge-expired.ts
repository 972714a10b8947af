import type { Clock } from '../../platform/kernel/clock.ts';
import type { Db } from '../../platform/db/db.ts';
import { deleteExpiredLinks, deleteExpiredSessions, deleteOldAccountEvents } from './accounts.sql.ts';
import { deleteExpiredChanges } from './email/email-change.sql.ts';
import { deleteExpiredChallenges } from './passkeys/passkeys.sql.ts';

/** A person looks for a sign-in of somebody else within a year. */
const EVENT_MS = 365 * 24 * 60 * 60_000;

/** Deletes links, sessions and challenges that have expired, which are refused anyway, and what happened a year ago. */
export async function purgeExpiredAccountData({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  await db.query(deleteExpiredLinks(clock.now()));
  await db.query(deleteExpiredChanges(clock.now()));
  await db.query(deleteExpiredSessions(clock.now()));
  await db.query(deleteExpiredChallenges(clock.now()));
  await db.query(deleteOldAccountEvents(new Date(clock.now().getTime() - EVENT_MS)));
}
