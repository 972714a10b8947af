-- What resources hold besides their own elements: the Binaries that they name, whose labels they share, and content inside
-- of them that could not be read and may therefore be of any protected class.
create table resource_content (
  patient_id uuid not null,
  seq bigint not null,
  -- `Binary/id`, or the digest of content that could not be read.
  name text not null,
  is_unread boolean not null,
  title text,
  -- Kind and size of what could not be read.
  description text,
  primary key (patient_id, seq, name)
);

-- Content of which the patient says that it holds nothing very private: their own statement, by the content's digest.
create table content_statement (
  patient_id uuid not null,
  digest text not null,
  stated_at timestamptz not null,
  primary key (patient_id, digest)
);
