import type { MemberId, OrganizationId, SessionId } from '../../../../contract/brands.ts';
import { sql } from '../../../platform/db/sql.ts';
import { latestNow } from '../../../platform/db/store-clock.ts';

export interface OidcRequestRow {
  purpose: 'sign_in' | 'join' | 'confirm';
  /** The session that joins or confirms; null for signing in. */
  session_id: SessionId | null;
  nonce: string;
  code_verifier: string;
}

interface NewOidcRequest extends OidcRequestRow {
  state_hash: Buffer;
  /** The hash of the browser's secret cookie. */
  browser_hash: Buffer;
  expires_at: Date;
}

export const insertOidcRequest = (row: NewOidcRequest) => sql`
  insert into member_oidc_request (state_hash, browser_hash, purpose, session_id, nonce, code_verifier, expires_at)
  values (${row.state_hash}, ${row.browser_hash}, ${row.purpose}, ${row.session_id}, ${row.nonce}, ${row.code_verifier},
    ${row.expires_at})`;

/** Consumes a request, whoever presents its state; `matches` says that this browser began it and it has not expired. */
export const deleteOidcRequest = (stateHash: Buffer, browserHash: Buffer, now: Date) => sql<
  OidcRequestRow & { matches: boolean }
>`
  delete from member_oidc_request where state_hash = ${stateHash}
  returning purpose, session_id, nonce, code_verifier,
    browser_hash = ${browserHash} and expires_at > ${latestNow(now)} as matches`;

export const deleteExpiredOidcRequests = (now: Date) => sql`
  delete from member_oidc_request where expires_at <= ${now}`;

/** Who somebody is at an identity provider: a subject is never given to somebody else there (OpenID Connect Core §2). */
export interface Identity {
  issuer: string;
  subject: string;
}

/**
 * Selects which member of an organization has the identity, also one who was removed. What a member of another organization
 * joined does not count: its members have no identity provider.
 */
export const findIdentityOwner = ({ issuer, subject }: Identity, organizationId: OrganizationId) => sql<{
  member_id: MemberId;
  is_removed: boolean;
}>`
  select i.member_id, m.removed_at is not null as is_removed
  from member_identity i join member m on m.member_id = i.member_id
  where i.issuer = ${issuer} and i.subject = ${subject} and m.organization_id = ${organizationId}`;

interface NewIdentity {
  identity: Identity;
  organizationId: OrganizationId;
  memberId: MemberId;
  now: Date;
}

/**
 * Inserts an identity, or moves that of somebody who was removed, or who is of another organization; no row when it, or the
 * member, has another.
 */
export const upsertIdentity = ({ identity, organizationId, memberId, now }: NewIdentity) => sql<{
  member_id: MemberId;
}>`
  insert into member_identity as i (issuer, subject, member_id, created_at)
  values (${identity.issuer}, ${identity.subject}, ${memberId}, ${now})
  on conflict (issuer, subject) do update set member_id = excluded.member_id, created_at = excluded.created_at
    where i.member_id = excluded.member_id
      or exists (select from member m where m.member_id = i.member_id
        and (m.removed_at is not null or m.organization_id <> ${organizationId}))
  returning member_id`;

/** Forgets which identity a member had before they join another one. */
export const deleteMemberIdentity = (memberId: MemberId) => sql`
  delete from member_identity where member_id = ${memberId}`;
