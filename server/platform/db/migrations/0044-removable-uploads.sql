-- Which batches brought a resource, and what it held before another batch changed it, so that a batch can be taken out again.

-- The batches that brought a resource, once there are several; one that a single batch brought is known by `first_batch_id`.
create table batch_resource (
  patient_id uuid not null,
  batch_id uuid not null,
  seq bigint not null,
  -- The content that it brought: `source_hash` of `resource` or of `replaced_resource`.
  source_hash bytea not null,
  brought_at timestamptz not null,
  primary key (patient_id, batch_id, seq)
);
create index batch_resource_by_seq on batch_resource (patient_id, seq);

-- Of resources from before this it is known who brought them first and who changed them last, not what they held between.
insert into batch_resource (patient_id, batch_id, seq, source_hash, brought_at)
select r.patient_id, b.batch_id, r.seq, r.source_hash, b.received_at
from resource r join upload_batch b on b.patient_id = r.patient_id and b.batch_id in (r.first_batch_id, r.last_batch_id)
where r.first_batch_id <> r.last_batch_id;

-- What a resource held before another batch changed it.
create table replaced_resource (
  patient_id uuid not null,
  seq bigint not null,
  source_hash bytea not null,
  origin text not null,
  category text not null,
  body text not null,
  display text,
  display_code text,
  organization text,
  organization_reference text,
  document_path text not null,
  first_day date not null,
  last_day date not null,
  primary key (patient_id, seq, source_hash)
);

-- The batches that brought an original besides `document.batch_id`: the same bytes under the same path are kept once.
create table batch_document (
  patient_id uuid not null,
  batch_id uuid not null,
  document_id uuid not null,
  primary key (patient_id, batch_id, document_id)
);
create index batch_document_by_document on batch_document (patient_id, document_id);

-- When something was last taken out: a traversal of an earlier state ends, since that state is not kept.
alter table record_head add column removed_at timestamptz;

-- The first paths in the archive, which name a batch to people.
alter table upload_batch add column paths text[] not null default '{}';
