-- WebAuthn credentials of members: each is two factors by itself, since the device checks its user.
create table member_passkey (
  member_id uuid not null references member,
  passkey_id uuid not null,
  -- Whoever signs in by passkey types no name: the credential leads to its member.
  credential_id bytea not null unique,
  -- COSE key.
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  primary key (member_id, passkey_id)
);

-- Challenges that wait for their answer, each for one browser, one purpose and once.
create table member_challenge (
  challenge_hash bytea primary key,
  browser_hash bytea not null,
  purpose text not null check (purpose in ('sign_in', 'add', 'confirm')),
  -- The session that adds a passkey or confirms presence; null for signing in.
  session_id uuid,
  expires_at timestamptz not null
);
create index member_challenge_expired on member_challenge (expires_at);
