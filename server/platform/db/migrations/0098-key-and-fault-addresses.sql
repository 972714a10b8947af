-- From how many addresses a secret is used, and no address: each row is a MAC of one under the secret itself, which the
-- service does not keep. A month after the last use it is deleted.
create table api_key_address (
  credential_id uuid not null,
  address_mac bytea not null,
  last_used_at timestamptz not null,
  primary key (credential_id, address_mac)
);
create index api_key_address_by_use on api_key_address (last_used_at);

-- Who is mailed when something fails; null: every member.
alter table organization add column fault_addresses text[];
