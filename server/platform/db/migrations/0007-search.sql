-- A distinct text of a patient's record: many equal lab titles and note paragraphs are one passage.
create table passage (
  patient_id uuid not null,
  passage_hash bytea not null,
  title text not null,
  body text not null,
  terms tsvector not null,
  primary key (patient_id, passage_hash)
);
-- Without the list of pending entries: a record is searched right after it was imported, before any vacuum.
create index passage_terms on passage using gin (patient_id, terms) with (fastupdate = off);

-- Where a passage stands.
create table passage_use (
  patient_id uuid not null,
  passage_hash bytea not null,
  seq bigint not null,
  ordinal integer not null,
  primary key (patient_id, passage_hash, seq, ordinal)
);
create index passage_use_by_entry on passage_use (patient_id, seq, ordinal);
