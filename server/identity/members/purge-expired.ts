import type { Db } from '../../platform/db/db.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { deleteExpiredInvitations } from './invitations.sql.ts';
import { deleteExpiredOidcRequests } from './oidc/oidc.sql.ts';
import { deleteExpiredMemberChallenges } from './passkeys/passkeys.sql.ts';
import { deleteExpiredPasswordLinks } from './password-link.sql.ts';
import { deleteExpiredMemberSessions } from './sessions.sql.ts';

/** Deletes sessions, invitations, challenges and links that have expired, which are refused anyway. */
export async function purgeExpiredMemberData({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  await db.query(deleteExpiredMemberSessions(clock.now()));
  await db.query(deleteExpiredInvitations(clock.now()));
  await db.query(deleteExpiredMemberChallenges(clock.now()));
  await db.query(deleteExpiredOidcRequests(clock.now()));
  await db.query(deleteExpiredPasswordLinks(clock.now()));
}
