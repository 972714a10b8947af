import type { MemberId } from '../../../contract/brands.ts';
import { sql } from '../../platform/db/sql.ts';

export const updatePendingTotp = (memberId: MemberId, secret: string) => sql`
  update member set totp_pending = ${secret} where member_id = ${memberId}`;

/** Makes the secret that waits the one in force; its first code is used up. No row: another one waits by now. */
export const activateTotp = (memberId: MemberId, secret: string, step: number) => sql<{
  member_id: MemberId;
}>`
  update member set totp_secret = totp_pending, totp_pending = null, totp_step = ${step}
  where member_id = ${memberId} and totp_pending = ${secret} and removed_at is null returning member_id`;

/** Selects the secrets of all members' authenticator apps as they are stored. */
export const findTotpSecrets = () => sql<{ member_id: MemberId; stored: string }>`
  select member_id, totp_secret as stored from member where totp_secret is not null
  union all select member_id, totp_pending from member where totp_pending is not null`;

export const replaceTotpSecret = (stored: string, sealed: string) => sql`
  update member set totp_secret = case when totp_secret = ${stored} then ${sealed} else totp_secret end,
    totp_pending = case when totp_pending = ${stored} then ${sealed} else totp_pending end
  where totp_secret = ${stored} or totp_pending = ${stored}`;

/** Uses up the code of a time step; no row when it, or a later one, was used before. */
export const claimTotpStep = (memberId: MemberId, secret: string, step: number) => sql<{
  member_id: MemberId;
}>`
  update member set totp_step = ${step}
  where member_id = ${memberId} and totp_secret = ${secret} and removed_at is null
    and (totp_step is null or totp_step < ${step}::bigint)
  returning member_id`;

/** Uses up a recovery code; no row when the member has none of this hash. */
export const deleteRecoveryCode = (memberId: MemberId, codeHash: Buffer) => sql<{ member_id: MemberId }>`
  delete from member_recovery_code where member_id = ${memberId} and code_hash = ${codeHash} returning member_id`;

export const deleteRecoveryCodes = (memberId: MemberId) => sql`
  delete from member_recovery_code where member_id = ${memberId}`;

export const insertRecoveryCodes = (memberId: MemberId, hashes: readonly Buffer[]) => sql`
  insert into member_recovery_code (member_id, code_hash)
  select ${memberId}, decode(hash, 'hex') from unnest(${hashes.map((hash) => hash.toString('hex'))}::text[]) hash`;

/** Takes every factor of a member: they choose anew. */
export const deleteTotp = (memberId: MemberId) => sql`
  update member set totp_secret = null, totp_pending = null, totp_step = null where member_id = ${memberId}`;
