-- SHA-256 over a zero byte and the entry's columns as one JSON array of texts, so that a changed byte shows even before
-- the entry is sealed: the leaf hash of RFC 9162 §2.1.1. The writer computes it; here once, for the rows from before.
alter table audit_entry add column entry_hash bytea check (octet_length(entry_hash) = 32);
update audit_entry set entry_hash = sha256('\x00'::bytea || convert_to('[' || concat_ws(',',
  to_json(organization_id::text), to_json(entry_id::text),
  to_json(to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')),
  to_json(action), to_json(actor_kind), to_json(actor_id), coalesce(to_json(client)::text, 'null'),
  coalesce(to_json(project_id::text)::text, 'null'), coalesce(to_json(patient_id::text)::text, 'null'),
  coalesce(to_json(consent_record_id::text)::text, 'null'), to_json(outcome), to_json(detail::text)) || ']', 'UTF8'));
alter table audit_entry alter column entry_hash set not null;
-- The block that seals the entry, and its place in it from 0; null until it is sealed, which takes a few seconds.
alter table audit_entry add column block bigint;
alter table audit_entry add column place integer;
create index audit_unsealed on audit_entry (organization_id, entry_id) where block is null;
create index audit_of_block on audit_entry (organization_id, block, place) where block is not null;
-- A patient's entries in all organizations.
drop index audit_of_patient;
create index audit_of_patient on audit_entry (patient_id, entry_id) where patient_id is not null;

-- Each organization's chain: a block holds the hash of the one before, the root of the Merkle tree over its entries
-- (RFC 9162 §2.1.1), and a signature over both.
create table audit_block (
  organization_id uuid not null,
  block bigint not null,
  entries integer not null,
  root_hash bytea not null,
  -- Of the block before; zeros in the first.
  previous_hash bytea not null,
  -- SHA-256 over the checkpoint.
  block_hash bytea not null,
  sealed_at timestamptz not null,
  -- The signed checkpoint: a compact JWS (ES256).
  checkpoint text not null,
  -- The entries' hashes in their order, 32 bytes each: they tell which entry was altered, and make proofs without
  -- reading the block's entries.
  leaves bytea not null,
  primary key (organization_id, block)
);
-- Hashes do not compress.
alter table audit_block alter column leaves set storage external;
