import type { MemberSession, SetupStep } from '../../../contract/audience.ts';
import type { CredentialId, MemberId, SessionId } from '../../../contract/brands.ts';
import { createSessionLife, parseSessionCookie } from '../accounts/session-cookie.ts';
import { maybeOne, type Db, type Queryable, type Tx } from '../../platform/db/db.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { generateId } from '../../platform/kernel/ids.ts';
import { generateSecret, hashSecret } from '../../platform/kernel/secret.ts';
import { updateSignedIn } from './members.sql.ts';
import * as statements from './sessions.sql.ts';

const MINUTE_MS = 60_000;

/** The lifetimes of OWASP for an application of high value; a console shows the evidence of others. */
export const memberLife = createSessionLife({
  idleMs: 30 * MINUTE_MS,
  maxMs: 12 * 60 * MINUTE_MS,
  extendEveryMs: 5 * MINUTE_MS,
});

/**
 * Returns the session that the cookie names, and extends it when it has run for a while; null when the cookie is absent,
 * malformed or unknown, the session is over, or its member has another password, another role or none any more.
 */
export async function resolveMemberSession(
  { db, clock }: { db: Db; clock: Clock },
  cookie: string | null,
): Promise<MemberSession | null> {
  const parts = parseCookie(cookie);
  if (!parts) return null;
  const now = clock.now();
  const row = await maybeOne(db, statements.findMemberSession(parts.id, parts.hash, now));
  if (!row) return null;
  // By a node whose clock is behind it is used as long as by any other.
  const until = memberLife.computeExtension(row, row.now);
  if (until) await db.query(statements.extendMemberSession(parts.id, until));
  return {
    kind: 'member',
    subject: row.member_id,
    organizationId: row.organization_id,
    organizationName: row.organization_name,
    timeZone: row.time_zone,
    role: row.role,
    projectIds: row.project_ids,
    sessionId: parts.id,
    credentialId: row.credential_id,
    email: row.email,
    name: row.name,
    isJoined: row.is_joined,
    setup: row.by_provider ? [] : listSetupSteps(row),
    isConfirmed: row.is_confirmed,
  };
}

/** Lists what a member must choose before anything else is open to them. */
export const listSetupSteps = (row: { must_choose_password: boolean; has_factor: boolean }): SetupStep[] => [
  ...(row.must_choose_password ? (['password'] as const) : []),
  ...(row.has_factor ? [] : (['factor'] as const)),
];

interface NewSession {
  memberId: MemberId;
  credentialId: CredentialId;
  device: string;
  now: Date;
  /** The cookie of the session that this browser had before, which ends. */
  previous: string | null;
  /** The identity provider has asked for whatever factor it asks for. */
  byProvider?: boolean;
}

/** Inserts a session under a new secret, whatever cookie the browser sent; returns the value of its cookie. */
export async function beginMemberSession(
  tx: Tx,
  { memberId, credentialId, device, now, previous, byProvider = false }: NewSession,
): Promise<string> {
  const sessionId = generateId<SessionId>();
  const secret = generateSecret('');
  await endMemberSession(tx, previous);
  await tx.query(
    statements.insertMemberSession({
      sessionId,
      hash: hashSecret(secret),
      memberId,
      credentialId,
      device,
      now,
      expiresAt: memberLife.computeExpiry(now, now),
      byProvider,
    }),
  );
  await tx.query(updateSignedIn(memberId, now));
  return `${sessionId}.${secret}`;
}

/** Ends the session that a cookie names; returns whose it was. */
export async function endMemberSession(on: Queryable, cookie: string | null): Promise<MemberId | null> {
  const parts = parseCookie(cookie);
  const ended = parts && (await maybeOne(on, statements.deleteMemberSession(parts.id, parts.hash)));
  return ended?.member_id ?? null;
}

const parseCookie = (cookie: string | null) =>
  parseSessionCookie(cookie) as { id: SessionId; hash: Buffer } | null;
