create table upload_batch (
  patient_id uuid not null,
  batch_id uuid not null,
  status text not null check (status in ('queued', 'processing', 'completed', 'completed_with_errors', 'failed')),
  received_at timestamptz not null,
  completed_at timestamptz,
  -- Members read, counted while processing and kept when done.
  documents_total integer not null default 0,
  documents_processed integer not null default 0,
  documents_rejected integer not null default 0,
  resources_created integer not null default 0,
  resources_updated integer not null default 0,
  resources_unchanged integer not null default 0,
  primary key (patient_id, batch_id)
);

create table upload_rejection (
  patient_id uuid not null,
  batch_id uuid not null,
  ordinal integer not null,
  path text not null,
  code text not null,
  message text not null,
  primary key (patient_id, batch_id, ordinal)
);

-- Bytes in the shared store, so that any node can go on: the archive until it is processed, kept documents for good.
create table blob_chunk (
  patient_id uuid not null,
  blob_id uuid not null,
  ordinal integer not null,
  bytes bytea not null,
  primary key (patient_id, blob_id, ordinal)
);

-- A member that is kept as it came because it is no record data, or none that is understood.
create table document (
  patient_id uuid not null,
  document_id uuid not null,
  batch_id uuid not null,
  path text not null,
  size bigint not null,
  sha256 bytea not null,
  received_at timestamptz not null,
  primary key (patient_id, document_id),
  unique (patient_id, sha256, path)
);
