-- Who a member is at the organization's own identity provider. It stays when the member is removed: being in a group there
-- makes nobody a member again who was removed here.
create table member_identity (
  issuer text not null,
  subject text not null,
  member_id uuid not null unique references member,
  created_at timestamptz not null,
  primary key (issuer, subject)
);

-- Sign-ins that are under way at the identity provider, each for one browser and once.
create table member_oidc_request (
  -- SHA-256 of the state.
  state_hash bytea primary key,
  browser_hash bytea not null,
  purpose text not null check (purpose in ('sign_in', 'join', 'confirm')),
  -- The session that joins or confirms; null for signing in.
  session_id uuid,
  nonce text not null,
  code_verifier text not null,
  expires_at timestamptz not null
);
create index member_oidc_request_expired on member_oidc_request (expires_at);

-- The identity provider has asked for a second factor, or has decided that there is none.
alter table member_session add column by_provider boolean not null default false;
