-- A mailed secret by which a member who forgot their password chooses another; the second factor stays, and is asked for when
-- they sign in with it. One for each member: the last counts.
create table member_password_link (
  member_id uuid primary key references member,
  -- SHA-256 of 256 random bits.
  token_hash bytea not null unique,
  -- The password that is forgotten: any change of it ends the link.
  credential_id uuid not null,
  expires_at timestamptz not null
);
