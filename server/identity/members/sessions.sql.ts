import type { CredentialId, MemberId, SessionId } from '../../../contract/brands.ts';
import { CONFIRMATION_MINUTES } from '../../../contract/console/console.ts';
import { asLookUp, sql } from '../../platform/db/sql.ts';
import { latestNow } from '../../platform/db/store-clock.ts';
import { hasFactor, isJoined, type MemberRow } from './members.sql.ts';
import type { ListedSession } from '../accounts/session-cookie.ts';

export interface NewSession {
  sessionId: SessionId;
  hash: Buffer;
  memberId: MemberId;
  credentialId: CredentialId;
  device: string;
  now: Date;
  expiresAt: Date;
  byProvider: boolean;
}

export const insertMemberSession = (session: NewSession) => sql`
  insert into member_session (session_id, session_hash, member_id, credential_id, device, created_at, expires_at, confirmed_at, by_provider)
  values (${session.sessionId}, ${session.hash}, ${session.memberId}, ${session.credentialId}, ${session.device},
    ${session.now}, ${session.expiresAt}, ${session.now}, ${session.byProvider})`;

export type SessionRow = Pick<
  MemberRow,
  | 'member_id'
  | 'organization_id'
  | 'email'
  | 'name'
  | 'role'
  | 'project_ids'
  | 'credential_id'
  | 'must_choose_password'
> & {
  organization_name: string;
  time_zone: string;
  has_factor: boolean;
  is_joined: boolean;
  /** The identity provider began it, and asked for whatever factor it asks for. */
  by_provider: boolean;
  created_at: Date;
  expires_at: Date;
  is_confirmed: boolean;
  /** The later of the node's and the store's time. */
  now: Date;
};

/** Selects a session that has not expired, of a member who is one, under the credential in force. */
export const findMemberSession = (sessionId: SessionId, hash: Buffer, now: Date) =>
  asLookUp(sql<SessionRow>`
  select m.member_id, m.organization_id, m.email, m.name, m.role, m.project_ids::text[], m.credential_id,
    m.must_choose_password, ${hasFactor} as has_factor, ${isJoined} as is_joined, s.by_provider,
    o.name as organization_name, coalesce(o.time_zone, 'UTC') as time_zone, s.created_at, s.expires_at,
    s.confirmed_at > ${latestNow(now)} - make_interval(mins => ${CONFIRMATION_MINUTES}::integer) as is_confirmed,
    ${latestNow(now)} as now
  from member_session s
  join member m on m.member_id = s.member_id and m.credential_id = s.credential_id and m.removed_at is null
  join organization o on o.organization_id = m.organization_id
  where s.session_id = ${sessionId} and s.session_hash = ${hash} and s.expires_at > ${latestNow(now)}`);

export const findMemberSessions = (memberId: MemberId, sessionId: SessionId, now: Date) => sql<ListedSession>`
  select s.session_id, s.device, s.created_at, s.expires_at, s.session_id = ${sessionId} as is_this
  from member_session s join member m on m.member_id = s.member_id and m.credential_id = s.credential_id
  where s.member_id = ${memberId} and s.expires_at > ${latestNow(now)}
  order by s.expires_at desc, s.session_id`;

export const extendMemberSession = (sessionId: SessionId, until: Date) => sql`
  update member_session set expires_at = ${until} where session_id = ${sessionId} and expires_at < ${until}`;

/** Keeps that the member proved to be present. */
export const confirmMemberSession = (sessionId: SessionId, now: Date) => sql`
  update member_session set confirmed_at = ${now} where session_id = ${sessionId}`;

/** Deletes a session that a cookie names. */
export const deleteMemberSession = (sessionId: SessionId, hash: Buffer) => sql<{ member_id: MemberId }>`
  delete from member_session where session_id = ${sessionId} and session_hash = ${hash} returning member_id`;

/** Deletes a session of the member; no row when they have none of this id. */
export const deleteMemberSessionById = (memberId: MemberId, sessionId: SessionId) => sql<{ device: string }>`
  delete from member_session where member_id = ${memberId} and session_id = ${sessionId} returning device`;

/** Deletes the sessions of a member, but for one. */
export const deleteMemberSessions = (memberId: MemberId, kept: SessionId | null = null) => sql<{
  session_id: SessionId;
}>`
  delete from member_session where member_id = ${memberId} and session_id is distinct from ${kept}::uuid returning session_id`;

export const deleteExpiredMemberSessions = (now: Date) =>
  sql`delete from member_session where expires_at <= ${now}`;
