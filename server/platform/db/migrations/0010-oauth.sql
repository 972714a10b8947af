-- Dynamically registered public clients (RFC 7591). Clients that are named by the URL of their metadata document have
-- no row.
create table oauth_client (
  client_id uuid primary key,
  client_name text,
  redirect_uris text[] not null,
  -- null: the client did not say.
  grant_types text[],
  scope text not null,
  issued_at timestamptz not null,
  -- The last authorization request; a client that never made one is forgotten after a day.
  last_used_at timestamptz
);
create index oauth_client_unused on oauth_client (issued_at) where last_used_at is null;

-- Authorization requests: from /oauth/authorize until the code is exchanged. The patient is known once decided.
create table oauth_request (
  request_id text primary key,
  -- uuid of a registered client, or the URL of a metadata document.
  client_id text not null,
  client_name text,
  -- The host of that document.
  client_host text,
  redirect_uri text not null,
  scope text not null,
  state text not null,
  code_challenge text not null,
  resource text not null,
  project_id uuid not null,
  organization_id uuid not null,
  refreshable boolean not null,
  -- SHA-256 of the secret cookie of the browser that began it.
  browser_hash bytea not null,
  status text not null check (status in ('pending', 'processing', 'ready', 'denied', 'closed')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  patient_id uuid,
  grant_id uuid,
  -- [{source, state}]
  progress json,
  code_hash bytea unique,
  code_expires_at timestamptz,
  code_used_at timestamptz
);
create index oauth_request_expired on oauth_request (expires_at);
-- Those that a withdrawal ends.
create index oauth_request_granted on oauth_request (project_id, patient_id) where status in ('processing', 'ready');

-- What a patient granted to a client. Refresh tokens are not stored: they name grant and generation under a MAC.
create table oauth_grant (
  patient_id uuid not null,
  grant_id uuid not null,
  organization_id uuid not null,
  project_id uuid not null,
  client_id text not null,
  client_name text,
  scope text not null,
  resource text not null,
  refreshable boolean not null,
  consent_record_id uuid not null,
  created_at timestamptz not null,
  -- 0 until the code is exchanged; then the only refresh token that is good.
  generation integer not null default 0,
  rotated_at timestamptz not null,
  -- The absolute end: 90 days, or with the consent.
  expires_at timestamptz not null,
  revoked_at timestamptz,
  -- client, consent_withdrawn, code_reused, refresh_token_reused
  revoked_because text,
  primary key (patient_id, grant_id)
);

-- Keys of the MAC of refresh tokens. The newest makes new ones; older ones verify until no token of theirs can live.
create table refresh_token_key (
  key_id text primary key,
  secret bytea not null,
  created_at timestamptz not null
);
