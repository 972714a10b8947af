-- Reference tables: small, the same on every shard.

create table organization (
  organization_id uuid primary key,
  name text not null unique,
  created_at timestamptz not null
);

create table project (
  project_id uuid primary key,
  organization_id uuid not null references organization,
  name text not null,
  created_at timestamptz not null
);
create index project_by_organization on project (organization_id, created_at);

create table api_key (
  api_key text primary key,
  organization_id uuid not null references organization,
  role text not null check (role in ('admin', 'researcher')),
  -- SHA-256 of a secret of 256 random bits.
  secret_hash bytea not null,
  created_at timestamptz not null,
  revoked_at timestamptz
);

create table console_member (
  email text primary key,
  organization_id uuid not null references organization,
  password_hash text not null,
  created_at timestamptz not null
);

create table signing_key (
  kid text primary key,
  -- next: published, not yet used; current: signs; previous: still verifies; retired: gone from the JWKS.
  state text not null check (state in ('next', 'current', 'previous', 'retired')),
  public_jwk json not null,
  private_jwk json not null,
  created_at timestamptz not null
);
create unique index signing_key_current on signing_key (state) where state = 'current';

-- Counts of failed logins, kept by the rate limiter (its own format).
create table login_throttle (
  key text primary key,
  points integer not null default 0,
  expire bigint
);
