import type { z } from 'zod';
import type { SessionList } from '../../../contract/account/sessions.ts';
import type { SessionId } from '../../../contract/brands.ts';
import { hashSecret } from '../../platform/kernel/secret.ts';

/** Parses the cookie of a session, `ID.secret`; null when it is absent or malformed. */
export function parseSessionCookie(cookie: string | null): { id: string; hash: Buffer } | null {
  const match = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([\w-]{43})$/.exec(cookie ?? '');
  if (!match) return null;
  const [, id, secret] = match as unknown as [string, string, string];
  return { id, hash: hashSecret(secret) };
}

interface SessionLimits {
  /** How long a session lasts after its last use. */
  idleMs: number;
  maxMs: number;
  /** Pages send requests every few seconds; a session is extended at most once in this time. */
  extendEveryMs: number;
}

interface SessionTimes {
  created_at: Date;
  expires_at: Date;
}

export interface ListedSession extends SessionTimes {
  session_id: SessionId;
  device: string;
  is_this: boolean;
}

/** The life of a session is its end, which moves with its use: nothing else is written at a request. */
export function createSessionLife({ idleMs, maxMs, extendEveryMs }: SessionLimits) {
  const computeExpiry = (createdAt: Date, now: Date): Date =>
    new Date(Math.min(now.getTime() + idleMs, createdAt.getTime() + maxMs));
  return {
    computeExpiry,
    /** Returns the end that a session that is used now should get; null while the present one is near enough. */
    computeExtension({ created_at, expires_at }: SessionTimes, now: Date): Date | null {
      const until = computeExpiry(created_at, now);
      const isDue = expires_at.getTime() - now.getTime() < idleMs - extendEveryMs;
      return isDue && until > expires_at ? until : null;
    },
    toSessionDto: (row: ListedSession): z.input<typeof SessionList>['sessions'][number] => ({
      id: row.session_id,
      device: row.device,
      signedInAt: row.created_at.toISOString(),
      // Its end says so, unless that is the longest it may last.
      lastUsedAt: new Date(
        Math.max(row.created_at.getTime(), row.expires_at.getTime() - idleMs),
      ).toISOString(),
      isThis: row.is_this,
    }),
  };
}
