-- FHIR servers that records are fetched from, of an organization; and what has become of each patient's fetching.

create table record_source (
  organization_id uuid not null,
  source_id uuid not null,
  name text not null,
  -- Without a slash at its end; never changed: what was fetched is known by it.
  base_url text not null,
  status text not null check (status in ('active', 'paused')),
  authentication text not null check (authentication in ('smart_backend_services', 'bearer', 'none')),
  client_id text,
  -- null: as the server's discovery document says.
  token_endpoint text,
  scope text,
  -- As it is: it must be sent.
  bearer_secret text,
  matching json not null,
  -- Counts up when the way of matching changes: who was matched before is matched anew.
  matching_revision integer not null default 1,
  -- null: every project of the organization.
  project_ids uuid[],
  created_at timestamptz not null,
  changed_at timestamptz not null,
  primary key (organization_id, source_id),
  unique (organization_id, name)
);

-- A lookup: the keys of a source's client assertions (RFC 7523), published under the source's id alone.
create table source_key (
  source_id uuid not null,
  kid text not null,
  alg text not null check (alg in ('ES384', 'RS384')),
  public_jwk json not null,
  private_jwk json not null,
  created_at timestamptz not null,
  primary key (source_id, kid)
);

create table source_sync (
  patient_id uuid not null,
  source_id uuid not null,
  organization_id uuid not null,
  state text not null check (state in ('waiting', 'running', 'up_to_date', 'no_match', 'ambiguous_match', 'failed', 'paused')),
  -- Why it is so; null where the state says all.
  code text,
  -- Moves with each request: one that comes while a sync runs is not lost.
  requested_at timestamptz not null,
  -- Tries in vain since.
  failures integer not null default 0,
  -- Who the patient is there, and under which way of matching that was found.
  matched_type text,
  matched_id text,
  matched_revision integer,
  -- The server's time that the last complete sync covers: the next one asks for what is newer.
  covered_until timestamptz,
  synchronized_at timestamptz,
  -- SHA-256 over what the last complete sync brought, and over the matched Patient alone: nothing new is not stored again.
  content_hash bytea,
  subject_hash bytea,
  -- Of the last sync that brought something.
  pages integer not null default 0,
  resources integer not null default 0,
  bytes bigint not null default 0,
  skipped_types text[],
  batch_id uuid,
  -- What becomes true when the batch is read: the columns above, as JSON.
  pending json,
  primary key (patient_id, source_id)
);
create index source_sync_of_source on source_sync (source_id, patient_id);
