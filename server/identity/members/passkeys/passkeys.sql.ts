import type {
  CredentialId,
  Email,
  MemberId,
  OrganizationId,
  PasskeyId,
  SessionId,
} from '../../../../contract/brands.ts';
import { sql } from '../../../platform/db/sql.ts';
import { latestNow } from '../../../platform/db/store-clock.ts';

export interface MemberChallenge {
  hash: Buffer;
  /** The hash of the browser's secret cookie. */
  browserHash: Buffer;
  purpose: 'sign_in' | 'add' | 'confirm';
  /** null for signing in. */
  sessionId: SessionId | null;
}

export const insertMemberChallenge = (challenge: MemberChallenge, expiresAt: Date) => sql`
  insert into member_challenge (challenge_hash, browser_hash, purpose, session_id, expires_at)
  values (${challenge.hash}, ${challenge.browserHash}, ${challenge.purpose}, ${challenge.sessionId}, ${expiresAt})`;

/** Consumes a challenge, whoever presents it; `matches` says that it was issued for this and has not expired. */
export const deleteMemberChallenge = (challenge: MemberChallenge, now: Date) => sql<{ matches: boolean }>`
  delete from member_challenge where challenge_hash = ${challenge.hash}
  returning browser_hash = ${challenge.browserHash} and purpose = ${challenge.purpose}
    and session_id is not distinct from ${challenge.sessionId}::uuid and expires_at > ${latestNow(now)} as matches`;

export const deleteExpiredMemberChallenges = (now: Date) => sql`
  delete from member_challenge where expires_at <= ${now}`;

export interface MemberPasskeyRow {
  passkey_id: PasskeyId;
  credential_id: Buffer;
  transports: string[];
  name: string;
  created_at: Date;
  last_used_at: Date | null;
}

export const findMemberPasskeys = (memberId: MemberId) => sql<MemberPasskeyRow>`
  select passkey_id, credential_id, transports, name, created_at, last_used_at
  from member_passkey where member_id = ${memberId} order by created_at, passkey_id`;

export interface NewMemberPasskey {
  memberId: MemberId;
  passkeyId: PasskeyId;
  credentialId: Buffer;
  publicKey: Buffer;
  counter: number;
  transports: readonly string[];
  name: string;
  now: Date;
}

/** Inserts a passkey; no row when the credential is somebody's. */
export const insertMemberPasskey = (passkey: NewMemberPasskey) => sql<{ passkey_id: PasskeyId }>`
  insert into member_passkey (member_id, passkey_id, credential_id, public_key, counter, transports, name, created_at)
  values (${passkey.memberId}, ${passkey.passkeyId}, ${passkey.credentialId}, ${passkey.publicKey}, ${passkey.counter},
    ${passkey.transports}, ${passkey.name}, ${passkey.now})
  on conflict (credential_id) do nothing returning passkey_id`;

export const deleteMemberPasskey = (memberId: MemberId, passkeyId: PasskeyId) => sql<{ name: string }>`
  delete from member_passkey where member_id = ${memberId} and passkey_id = ${passkeyId} returning name`;

export const deleteMemberPasskeys = (memberId: MemberId) => sql`
  delete from member_passkey where member_id = ${memberId}`;

export interface MemberPasskey {
  member_id: MemberId;
  organization_id: OrganizationId;
  email: Email;
  /** The member's password when the passkey was looked up. */
  member_credential_id: CredentialId;
  passkey_id: PasskeyId;
  public_key: Buffer;
  counter: number;
}

/** Selects a passkey and its member, who was not removed. */
export const findMemberPasskey = (credentialId: Buffer) => sql<MemberPasskey>`
  select k.member_id, m.organization_id, m.email, m.credential_id as member_credential_id, k.passkey_id, k.public_key, k.counter
  from member_passkey k join member m on m.member_id = k.member_id and m.removed_at is null
  where k.credential_id = ${credentialId}`;

/**
 * Updates the signature counter. By WebAuthn §6.1.1 a counter that does not rise betrays a copy of the key, unless it
 * is always 0: no row is returned then, nor when the passkey was removed meanwhile.
 */
export const updateMemberPasskeyCounter = (passkey: {
  memberId: MemberId;
  passkeyId: PasskeyId;
  counter: number;
  now: Date;
}) => sql<{ passkey_id: PasskeyId }>`
  update member_passkey set counter = ${passkey.counter}, last_used_at = ${passkey.now}
  where member_id = ${passkey.memberId} and passkey_id = ${passkey.passkeyId}
    and (counter < ${passkey.counter} or (counter = 0 and ${passkey.counter}::bigint = 0))
  returning passkey_id`;
