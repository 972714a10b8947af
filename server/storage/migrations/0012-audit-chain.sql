-- SHA-256 over the entry's columns as they were written; null only in rows from before this.
alter table audit_entry add column entry_hash bytea;
-- The block that seals the entry, and its place in it; null until it is sealed, which takes a second or two.
alter table audit_entry add column block bigint;
alter table audit_entry add column place integer;
create index audit_unsealed on audit_entry (organization_id, entry_id) where block is null;
create index audit_of_block on audit_entry (organization_id, block, place) where block is not null;

-- Each organization's chain: a block holds the hash of the one before, the root of the Merkle tree over its entries
-- (RFC 9162 §2.1), and a signature over both.
create table audit_block (
  organization_id uuid not null,
  block bigint not null,
  entries integer not null,
  root_hash bytea not null,
  previous_hash bytea not null,
  block_hash bytea not null,
  sealed_at timestamptz not null,
  -- The signed checkpoint: a compact JWS (ES256).
  checkpoint text not null,
  primary key (organization_id, block)
);
