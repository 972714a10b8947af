import type { MemberSession, SetupStep } from '../../../contract/audience.ts';
import { CONFIRMATION_MINUTES } from '../../../contract/console/console.ts';
import type { CredentialId, MemberId, SessionId } from '../../../contract/brands.ts';
import { maybeOne, type Db, type Queryable, type Tx } from '../../platform/db/db.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { generateId } from '../../platform/kernel/ids.ts';
import { generateSecret, hashSecret } from '../../platform/kernel/secret.ts';
import { updateSignedIn } from './members.sql.ts';
import * as statements from './sessions.sql.ts';

const MINUTE_MS = 60_000;

/** The lifetimes of OWASP for an application of high value; a console shows the evidence of others. */
const IDLE_MS = 30 * MINUTE_MS;
const MAX_SESSION_MS = 12 * 60 * MINUTE_MS;

/** A page sends requests every few seconds; a session is extended at most every five minutes. */
const EXTEND_BELOW_MS = 25 * MINUTE_MS;

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
  const row = await maybeOne(db, statements.findMemberSession(parts.sessionId, parts.hash, now));
  if (!row) return null;
  const until = computeExpiry(row.created_at, now);
  if (row.expires_at.getTime() - now.getTime() < EXTEND_BELOW_MS && until > row.expires_at)
    await db.query(statements.extendMemberSession(parts.sessionId, until));
  return {
    kind: 'member',
    subject: row.member_id,
    organizationId: row.organization_id,
    organizationName: row.organization_name,
    role: row.role,
    projectIds: row.project_ids,
    sessionId: parts.sessionId,
    credentialId: row.credential_id,
    email: row.email,
    name: row.name,
    setup: listSetupSteps(row),
    isConfirmed: now.getTime() - row.confirmed_at.getTime() < CONFIRMATION_MINUTES * MINUTE_MS,
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
}

/** Inserts a session under a new secret, whatever cookie the browser sent; returns the value of its cookie. */
export async function beginMemberSession(
  tx: Tx,
  { memberId, credentialId, device, now, previous }: NewSession,
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
      expiresAt: computeExpiry(now, now),
    }),
  );
  await tx.query(updateSignedIn(memberId, now));
  return `${sessionId}.${secret}`;
}

/** Ends the session that a cookie names; returns whose it was. */
export async function endMemberSession(on: Queryable, cookie: string | null): Promise<MemberId | null> {
  const parts = parseCookie(cookie);
  const ended = parts && (await maybeOne(on, statements.deleteMemberSession(parts.sessionId, parts.hash)));
  return ended?.member_id ?? null;
}

/** Returns when a session was last used, to the five minutes: its end says so, unless that is the longest it may last. */
export const computeLastUse = ({ created_at, expires_at }: { created_at: Date; expires_at: Date }): Date =>
  new Date(Math.max(created_at.getTime(), expires_at.getTime() - IDLE_MS));

const computeExpiry = (createdAt: Date, now: Date): Date =>
  new Date(Math.min(now.getTime() + IDLE_MS, createdAt.getTime() + MAX_SESSION_MS));

function parseCookie(cookie: string | null): { sessionId: SessionId; hash: Buffer } | null {
  const match = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([\w-]{43})$/.exec(cookie ?? '');
  if (!match) return null;
  const [, sessionId, secret] = match as unknown as [string, SessionId, string];
  return { sessionId, hash: hashSecret(secret) };
}
