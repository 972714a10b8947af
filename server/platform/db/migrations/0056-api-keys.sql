-- API keys are created, rotated and revoked by API and by command line. `api_key` is what a program presents; paths name a
-- key by its id, so that no log of addresses holds what is presented.
alter table api_key add column api_key_id uuid not null default gen_random_uuid() unique;
alter table api_key add column name text;
update api_key set name = case role when 'admin' then 'Admin key' else 'Researcher key' end;
alter table api_key alter column name set not null;
-- The actor of the audit log who created it; null: the organization was created with it.
alter table api_key add column created_by_kind text;
alter table api_key add column created_by text;
-- null: it does not expire.
alter table api_key add column expires_at timestamptz;
-- null: every project of the organization.
alter table api_key add column project_ids uuid[];
create index api_key_of_organization on api_key (organization_id, created_at);

-- A key has one secret, and for a while after a rotation the one before, as webhooks have.
create table api_key_secret (
  credential_id uuid primary key,
  api_key text not null references api_key,
  -- SHA-256 of a secret of 256 random bits.
  secret_hash bytea not null,
  created_at timestamptz not null,
  -- null: until the next rotation.
  expires_at timestamptz,
  -- The hour in which a token was last obtained with it.
  last_used_at timestamptz
);
create index api_key_secret_of_key on api_key_secret (api_key);
insert into api_key_secret (credential_id, api_key, secret_hash, created_at)
select credential_id, api_key, secret_hash, created_at from api_key;
alter table api_key drop column secret_hash;
alter table api_key drop column credential_id;
