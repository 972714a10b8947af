import type { CredentialId, MemberId } from '../../../contract/brands.ts';
import { sql } from '../../platform/db/sql.ts';
import { latestNow, latestNowAfterLock } from '../../platform/db/store-clock.ts';

export interface PasswordLinkRow {
  member_id: MemberId;
  credential_id: CredentialId;
}

/** Keeps the link of a member; one that was mailed before ends. */
export const upsertPasswordLink = (row: PasswordLinkRow & { token_hash: Buffer; expires_at: Date }) => sql`
  insert into member_password_link (member_id, token_hash, credential_id, expires_at)
  values (${row.member_id}, ${row.token_hash}, ${row.credential_id}, ${row.expires_at})
  on conflict (member_id) do update set token_hash = excluded.token_hash, credential_id = excluded.credential_id,
    expires_at = excluded.expires_at`;

/** Selects the link of a secret, without using it up. */
export const findPasswordLink = (tokenHash: Buffer, now: Date) => sql<PasswordLinkRow>`
  select member_id, credential_id from member_password_link
  where token_hash = ${tokenHash} and expires_at > ${latestNow(now)}`;

/** Uses up the link of a secret: of two at once, one gets a row. */
export const consumePasswordLink = (tokenHash: Buffer, now: Date) => sql<PasswordLinkRow>`
  delete from member_password_link where token_hash = ${tokenHash} and expires_at > ${latestNowAfterLock(now)}
  returning member_id, credential_id`;

export const deleteExpiredPasswordLinks = (now: Date) => sql`
  delete from member_password_link where expires_at <= ${now}`;
