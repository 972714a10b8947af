-- WebAuthn credentials, beside the password.
create table account_passkey (
  patient_id uuid not null,
  passkey_id uuid not null,
  credential_id bytea not null,
  -- COSE key.
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  primary key (patient_id, passkey_id)
);

-- From a credential to its patient: who signs in by passkey types no name.
create table passkey_route (
  credential_id bytea primary key,
  patient_id uuid not null
);

-- Challenges that wait for their answer, each for one browser and once.
create table passkey_challenge (
  challenge_hash bytea primary key,
  browser_hash bytea not null,
  -- Who adds a passkey; null for signing in.
  patient_id uuid,
  expires_at timestamptz not null
);
create index passkey_challenge_expired on passkey_challenge (expires_at);
