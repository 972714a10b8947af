create extension if not exists btree_gin;
create extension if not exists pg_trgm;

-- The next sequence number of a patient's record; its row lock orders writers of one record.
create table record_head (
  patient_id uuid primary key,
  next_seq bigint not null,
  total bigint not null,
  last_synchronized_at timestamptz
);

-- A FHIR resource as it came, ids and references rewritten so that they resolve inside the record.
create table resource (
  patient_id uuid not null,
  seq bigint not null,
  resource_type text not null,
  fhir_id text not null,
  -- Where it came from: the server base of an absolute fullUrl or '', and the id it had there.
  origin text not null,
  source_id text not null,
  category text not null,
  body text not null,
  -- SHA-256 of the bytes as they came, before any rewriting: tells a repeated upload from a change.
  source_hash bytea not null,
  -- What other resources' entries show of this one (an organization's, a drug's, a person's name).
  label text,
  label_code text,
  organization text,
  organization_reference text,
  last_updated timestamptz not null,
  first_batch_id uuid not null,
  last_batch_id uuid not null,
  document_path text not null,
  primary key (patient_id, seq)
);
create unique index resource_by_id on resource (patient_id, resource_type, fhir_id);
create unique index resource_by_source on resource (patient_id, source_id, resource_type, origin);
create index resource_of_batch on resource (patient_id, last_batch_id, seq);

-- Other names that references use: `urn:uuid:…`, and `Practitioner|system|value` for "Practitioner?identifier=…".
create table resource_identifier (
  patient_id uuid not null,
  identifier text not null,
  seq bigint not null,
  primary key (patient_id, identifier, seq)
);

-- References that resolve to nothing yet; a later document may bring their target.
create table open_reference (
  patient_id uuid not null,
  target text not null,
  seq bigint not null,
  primary key (patient_id, target, seq)
);

-- The projection the tools read; rebuilt from the resources by `chartgate reindex`.
create table clinical_entry (
  patient_id uuid not null,
  seq bigint not null,
  ordinal integer not null,
  kind text not null,
  category text not null,
  title text not null,
  code text,
  day date,
  day_text text,
  time text,
  end_text text,
  status text,
  current boolean not null,
  group_key text not null,
  visit text,
  organization text,
  reference text not null,
  document_path text not null,
  detail json not null,
  -- Which of the eight vital signs it is, where it is one and holds a value.
  vital text,
  -- A note that another resource of the record holds too is kept, and shown once.
  same_as text,
  duplicate boolean not null default false,
  primary key (patient_id, seq, ordinal)
);
create index clinical_entry_by_day on clinical_entry (patient_id, kind, day);
create index clinical_entry_vitals on clinical_entry (patient_id, vital, day desc nulls last, time desc nulls last, seq desc)
  where vital is not null and not duplicate;
create index clinical_entry_by_visit on clinical_entry (patient_id, visit) where visit is not null;

-- How much of what a record holds; counted anew after each import, so that a summary need not.
create table record_holding (
  patient_id uuid not null,
  kind text not null,
  category text not null,
  entries bigint not null,
  undated bigint not null,
  first_day date,
  last_day date,
  primary key (patient_id, kind, category)
);
